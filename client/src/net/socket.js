// @ts-check
import { OFFLINE, Problem } from "./problem.js";

/** Waits between attempts, in milliseconds; each is shortened by up to half at random. */
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

/** A connection that has been silent for so long is asked whether it lives. */
const SILENCE = 15_000;

/** How long the answer to that question may take. */
const ANSWER = 6_000;

/** Until a channel is asked for again that the server can't give just now. */
const PAUSE = 2_000;
const PASSING = new Set(["unavailable", "slow_down"]);

/** The close code for a session that was signed out. */
const SIGNED_OUT = 4401;

/**
 * @typedef {"off" | "connecting" | "open" | "lost"} Link
 *
 * @typedef {object} Channel
 * @property {(push: any) => void} push Takes the present state (`event` null) and then every change.
 * @property {(code: string) => void} trouble Told when the channel can't be watched.
 *
 * @typedef {object} Answer
 * @property {(ok: any) => void} resolve
 * @property {(problem: Problem) => void} reject
 */

/**
 * The one WebSocket of this page: reconnects by itself, subscribes again, asks a silent server whether
 * it lives. A request that loses its connection is rejected with `offline`; it is not sent again here.
 */
export class Connection {
  /**
   * @param {() => WebSocket} open
   * @param {(link: Link) => void} onLink
   * @param {() => void} onSignedOut
   */
  constructor(open, onLink, onSignedOut) {
    this.open = open;
    this.onLink = onLink;
    this.onSignedOut = onSignedOut;
    /** @type {Map<string, Channel>} */
    this.channels = new Map();
    /** @type {Map<string, Answer>} */
    this.answers = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.failures = 0;
    this.refs = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * @param {string} name
   * @param {Channel} channel
   */
  subscribe(name, channel) {
    this.channels.set(name, channel);
    if (this.isOpen()) this.join(name);
    else this.connect();
  }

  /** @param {string} name */
  unsubscribe(name) {
    if (this.channels.delete(name) && this.isOpen()) {
      this.request({ type: "unsubscribe", channel: name }).catch(() => {});
    }
  }

  /**
   * @param {{type: string, [key: string]: unknown}} message
   * @returns {Promise<any>} The server's `ok` or `pong`.
   */
  request(message) {
    const { socket } = this;
    if (!socket || !this.isOpen()) return Promise.reject(new Problem(OFFLINE));
    const ref = String(++this.refs);
    return new Promise((resolve, reject) => {
      this.answers.set(ref, { resolve, reject });
      socket.send(JSON.stringify({ ...message, ref }));
    });
  }

  /** Connects anew, as another caller or because the network has changed. */
  restart() {
    this.failures = 0;
    const { socket } = this;
    this.drop();
    socket?.close();
    if (this.channels.size) this.connect();
  }

  /** The page or the network is back: connects without waiting any longer, or sees whether it still is. */
  hurry() {
    if (this.isOpen()) this.silent();
    else if (!this.socket && this.channels.size) {
      this.failures = Math.min(this.failures, 1);
      this.connect();
    }
  }

  /** The network is gone: gives the socket up, which would learn of it only by silence, and tries anew. */
  lose() {
    const { socket } = this;
    if (!socket) return;
    this.closed(1006);
    socket.close();
  }

  isOpen() {
    return this.socket?.readyState === 1;
  }

  connect() {
    if (this.socket) return;
    clearTimeout(this.timer);
    this.onLink(this.failures ? "lost" : "connecting");
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = ({ data }) => this.heard(JSON.parse(data));
    socket.onclose = ({ code }) => this.closed(code);
    this.watch();
  }

  opened() {
    this.onLink("open");
    for (const name of this.channels.keys()) this.join(name);
  }

  /** @param {string} name */
  join(name) {
    const channel = this.channels.get(name);
    this.request({ type: "subscribe", channel: name }).catch(({ code }) => {
      if (code === OFFLINE || channel !== this.channels.get(name)) return;
      channel?.trouble(code);
      if (PASSING.has(code))
        setTimeout(() => this.isOpen() && this.channels.get(name) === channel && this.join(name), PAUSE);
    });
  }

  /** @param {any} message */
  heard(message) {
    this.failures = 0;
    this.watch();
    const answer = this.answers.get(message.ref);
    if (answer) {
      this.answers.delete(message.ref);
      if (message.type === "error") answer.reject(new Problem(message.code, message));
      else answer.resolve(message);
    } else {
      this.channels.get(message.channel)?.push(message);
    }
  }

  /** @param {number} code */
  closed(code) {
    this.drop();
    if (code === SIGNED_OUT) {
      this.onSignedOut();
      return;
    }
    if (!this.channels.size) return;
    this.onLink("lost");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures++);
    this.timer = setTimeout(() => this.connect(), wait * (0.5 + Math.random() / 2));
  }

  /** Lets go of the socket, whether or not it knows that it is dead. */
  drop() {
    clearTimeout(this.timer);
    const { socket } = this;
    if (socket) {
      socket.onopen = null;
      socket.onmessage = null;
      socket.onclose = null;
    }
    this.socket = null;
    this.onLink("off");
    const answers = [...this.answers.values()];
    this.answers.clear();
    for (const { reject } of answers) reject(new Problem(OFFLINE));
  }

  watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.silent(), SILENCE);
  }

  silent() {
    clearTimeout(this.timer);
    if (this.isOpen()) this.request({ type: "ping" }).catch(() => {});
    this.timer = setTimeout(() => this.lose(), ANSWER);
  }
}
