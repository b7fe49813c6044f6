// @ts-check
/**
 * Puts into words what a deal code that the server refused has wrong. It decides nothing.
 *
 * @param {string} text
 * @returns {[string, {n?: number, letter?: string}]} A message's key and its values.
 */
export function slip(text) {
  const code = text.trim().toUpperCase();
  if (!code) return ["code.none", {}];
  if (code.startsWith("HH1-D-")) return ["code.day", {}];
  if (!code.startsWith("HH1-N-")) return ["code.start", {}];
  const letters = [...code.slice("HH1-N-".length)];
  const wrong = letters.find(letter => !/[A-Z0-8]/.test(letter));
  if (wrong) return ["code.letter", { letter: wrong }];
  if (letters.length !== 7) return ["code.length", { n: letters.length }];
  return ["error.bad_deal_code", {}];
}
