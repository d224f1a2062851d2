/** Elements written as calls: the content security policy of the page allows no markup with styles or handlers. */

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * @typedef {Record<string, unknown>} Properties
 *   `on` holds listeners by event; `true` sets an empty attribute; `false`, `null` and `undefined` set none.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Properties} properties
 */
function setProperties(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      const listeners = /** @type {Record<string, EventListener>} */ (value);
      for (const [event, listener] of Object.entries(listeners)) element.addEventListener(event, listener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
}

/**
 * @param {Child[]} children
 * @returns {(string | Node)[]}
 */
function present(children) {
  const kept = children.filter((child) => child !== null && child !== undefined && child !== false);
  return kept.map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Properties} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  setProperties(element, properties);
  element.append(...present(children));
  return element;
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Properties} [properties]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setProperties(element, properties);
  element.append(...present(children));
  return element;
}

/**
 * The element that a selector names, which the caller knows to be there.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function find(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`no element ${selector}`);
  return /** @type {T} */ (found);
}

/**
 * Lets an event rise from an element with a value.
 * @param {EventTarget} target
 * @param {string} name
 * @param {unknown} [detail]
 */
export function send(target, name, detail) {
  target.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
}

/**
 * The value of an event that `send` made.
 * @param {Event} event
 * @returns {any}
 */
export function detail(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

/**
 * Waits with a call until none has come for a while.
 * @param {number} milliseconds
 * @param {() => void} action
 */
export function debounce(milliseconds, action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(action, milliseconds);
  };
}

/**
 * Gives a file to the person.
 * @param {string} name
 * @param {Blob} content
 */
export function download(name, content) {
  const link = h("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  // The browser reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
