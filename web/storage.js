/** What this browser remembers: settings, the keys of matches, the last choices. */

/**
 * @typedef {{theme: "system" | "light" | "dark", highlight: boolean, sound: boolean, motion: boolean,
 *   confirm: boolean, tilt: boolean, numbers: boolean, lines: number}} Settings
 *   `lines`: how many best lines the analysis shows
 * @typedef {{key: string, links?: Record<string, string>, is_owner?: boolean}} MatchKey
 */

/** @type {Settings} */
const DEFAULTS = { theme: "system", highlight: true, sound: false, motion: true, confirm: false, tilt: false, numbers: false, lines: 3 };

/**
 * Reads a stored value. Private windows and full disks may refuse storage: the page then works without.
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @param {Storage} [storage]
 * @returns {T}
 */
export function read(name, otherwise, storage = localStorage) {
  try {
    const text = storage.getItem(`kolibri.${name}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {Storage} [storage]
 */
export function write(name, value, storage = localStorage) {
  try {
    storage.setItem(`kolibri.${name}`, JSON.stringify(value));
  } catch {
    // The page goes on without what it would have remembered.
  }
}

/** @returns {Settings} */
export function settings() {
  return { ...DEFAULTS, ...read("settings", {}) };
}

/** @param {Partial<Settings>} changes */
export function changeSettings(changes) {
  write("settings", { ...settings(), ...changes });
  applyTheme();
  window.dispatchEvent(new Event("settings"));
}

/** Whether things may move on the screen. */
export function motionIsWanted() {
  return settings().motion && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether the page is dark now. */
export function isDark() {
  const { theme } = settings();
  return theme === "system" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
}

/** The style sheets go by `data-theme`, which `theme.js` sets before the first paint. */
export function applyTheme() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}

/**
 * The key with which this tab takes part in a match. A key from a secret link holds for its tab alone, so that two
 * players can share a browser.
 * @param {string} id
 * @returns {MatchKey | null}
 */
export function matchKey(id) {
  const ofTab = read("keys", /** @type {Record<string, MatchKey>} */ ({}), sessionStorage);
  const ofBrowser = read("keys", /** @type {Record<string, MatchKey>} */ ({}));
  return ofTab[id] ?? ofBrowser[id] ?? null;
}

/**
 * @param {string} id
 * @param {MatchKey | null} key `null` forgets it
 * @param {Storage} [storage]
 */
export function keepMatchKey(id, key, storage = localStorage) {
  const { [id]: _, ...others } = read("keys", /** @type {Record<string, MatchKey>} */ ({}), storage);
  // The newest comes last; old matches are forgotten before the storage is full.
  const kept = Object.entries(others).slice(-199);
  write("keys", Object.fromEntries(key ? [...kept, [id, key]] : kept), storage);
}
