// @ts-check
import { OFFLINE, Problem } from "./problem.js";

/** How long an answer may take, in milliseconds: a network that has died says nothing. */
const PATIENCE = 20_000;

/** @type {Map<string, Promise<Response>>} By path: what was asked for before anybody wanted it. */
const early = new Map();

/**
 * Asks for what is about to be wanted: the next `call` for it takes the answer.
 *
 * @param {string} path
 */
export function askAhead(path) {
  const response = fetch(path);
  early.set(path, response);
  response.catch(() => early.delete(path));
}

/** @param {string} path */
function taken(path) {
  const response = early.get(path);
  early.delete(path);
  return response;
}

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
  try {
    return await read(await ((method === "GET" && taken(path)) || fetch(path, request(method, body))));
  } catch (error) {
    // A connection can also break within an answer.
    throw error instanceof Problem ? error : new Problem(OFFLINE);
  }
}

/**
 * @param {string} method
 * @param {object | string} [body]
 * @returns {RequestInit}
 */
function request(method, body) {
  const signal = AbortSignal.timeout(PATIENCE);
  if (!body) return { method, signal };
  return {
    method,
    signal,
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "Content-Type": "application/json" },
  };
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
