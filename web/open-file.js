/** Rule files and saved matches that come from outside: chosen, dropped or pasted. */
import { ApiError, api } from "./api.js";
import { tellProblem } from "./messages.js";
import { through, unpack } from "./packed.js";
import { keepMatchKey } from "./storage.js";

/** The most that the server takes. */
const LARGEST = 4 * 1024 * 1024;

/** @param {File} file */
export async function openFile(file) {
  try {
    if (file.size > LARGEST) throw new Error(`${file.name} is larger than 4 MiB`);
    await openText(file.name, await textOf(file));
  } catch (error) {
    tellProblem(error);
  }
}

/**
 * Saved matches may be compressed.
 * @param {File} file
 * @returns {Promise<string>}
 */
async function textOf(file) {
  if (!file.name.endsWith(".gz")) return file.text();
  return through(file, new DecompressionStream("gzip")).text();
}

/**
 * @param {string} name
 * @param {string} text
 */
async function openText(name, text) {
  if (text.trimStart().startsWith("{")) return beginMatch({ record: JSON.parse(text) });
  const game = name.replace(/\.[^.]*$/, "");
  document.dispatchEvent(new CustomEvent("edit-rules", { detail: { name: game, rules: text } }));
}

/**
 * Begins a match, and shows it.
 * @param {unknown} setup
 */
export async function beginMatch(setup) {
  const { id, key, links } = await api.create(setup);
  keepMatchKey(id, { key, links, is_owner: true });
  location.assign(`/match/${id}`);
}

/** @param {string} packed what the address holds */
export async function openPacked(packed) {
  // Whoever comes back begins no other match.
  history.replaceState(null, "", "/");
  try {
    await beginMatch(await unpack(packed));
  } catch (error) {
    tellProblem(error instanceof ApiError ? error : "the link is not complete");
  }
}

/** Takes files that are dropped anywhere on the page, and rules that are pasted outside of fields. */
export function takeFiles() {
  const { body } = document;
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    body.classList.remove("dropping");
    openFile(file);
  });
  addEventListener("paste", (event) => {
    const isField = event.target instanceof Element && event.target.closest("input, textarea");
    const text = event.clipboardData?.getData("text") ?? "";
    if (!isField && /^\s*[;({]/.test(text)) openText("pasted", text).catch(tellProblem);
  });
}
