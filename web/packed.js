/** Matches in the address of the page, which stays in the browser: no server is asked for what follows its `#`. */

/**
 * @param {Blob} blob
 * @param {CompressionStream | DecompressionStream} change
 */
export const through = (blob, change) => new Response(blob.stream().pipeThrough(change));

/**
 * @param {unknown} value
 * @returns {Promise<string>} letters that an address may have
 */
export async function pack(value) {
  const packed = await through(new Blob([JSON.stringify(value)]), new CompressionStream("deflate-raw")).arrayBuffer();
  const signs = Array.from(new Uint8Array(packed), (byte) => String.fromCharCode(byte));
  return btoa(signs.join("")).replaceAll("+", "-").replaceAll("/", "_");
}

/** @param {string} packed */
export function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  return through(new Blob([bytes]), new DecompressionStream("deflate-raw")).json();
}
