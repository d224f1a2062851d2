// Runs before the first paint, as a classic script: modules run after it, and the page would flash.
(function () {
  var theme = "system";
  try {
    theme = JSON.parse(localStorage.getItem("kolibri.settings") || "{}").theme || "system";
  } catch (error) {
    // No storage: the system decides.
  }
  var dark = theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
