// @ts-check
import { OFFLINE, Problem } from "./problem.js";

/**
 * Calls the HTTP interface and gives its answer.
 *
 * @param {"GET" | "POST" | "PATCH" | "DELETE"} method
 * @param {string} path
 * @param {object | string} [body] A text is JSON already.
 * @returns {Promise<any>} The answer's JSON, or the text of a picture, or null where it has neither.
 * @throws {Problem} With the server's code, or `offline`.
 */
export async function call(method, path, body) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, {
      method,
      ...(body && {
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      }),
    });
  } catch {
    throw new Problem(OFFLINE);
  }
  return read(response);
}

/** @param {Response} response */
async function read(response) {
  const type = response.headers.get("Content-Type") ?? "";
  if (type.includes("svg")) return response.text();
  const answer = type.includes("json") ? await response.json() : null;
  if (response.ok) return answer;
  throw new Problem(answer?.code ?? "unavailable", answer ?? {});
}

/**
 * How far this device's clock is ahead of the server's, by the `Date` of an answer.
 *
 * @returns {Promise<number>} Milliseconds, right to about a second.
 */
export async function clockSkew() {
  const response = await fetch("/healthz");
  const date = Date.parse(response.headers.get("Date") ?? "");
  return Number.isNaN(date) ? 0 : Date.now() - date - 500;
}
