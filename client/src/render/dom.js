// @ts-check
/**
 * Descriptions of elements, and the least change that makes a document show them. No element is made anew
 * while its place, tag and key stay the same, so focus, selection and running transitions survive a redraw.
 *
 * @typedef {object} Props Attributes by name; a function under `onx` is a listener; `model` is a property.
 * @property {string | number} [key] Tells elements of one place apart.
 * @property {(element: any) => void} [created] Called once, when the element stands in the document.
 * @property {(element: any) => void} [removed] Called just before it leaves, by itself or with what it stands in.
 *
 * @typedef {{tag: string, props: Props & {[name: string]: any}, children: Node[]}} Element
 * @typedef {Element | string} Node
 * @typedef {Node | number | null | undefined | false | any[]} Child
 */

const SVG = "http://www.w3.org/2000/svg";

/** Set as properties: their attributes tell only the first value. */
const PROPERTIES = new Set(["value", "checked", "model"]);
const RESERVED = new Set(["key", "created", "removed"]);

/** @type {WeakMap<globalThis.Node, Node[]>} What each element's children show now. */
const shown = new WeakMap();

/**
 * @param {string} tag
 * @param {(Props & {[name: string]: any}) | null} [props]
 * @param {Child[]} children
 * @returns {Element}
 */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, children: flat(children) };
}

/**
 * @param {Child[]} children
 * @returns {Node[]}
 */
function flat(children) {
  return children.flatMap(child => {
    if (Array.isArray(child)) return flat(child);
    if (child === null || child === undefined || child === false || child === "") return [];
    return [typeof child === "number" ? String(child) : child];
  });
}

/**
 * Makes the children of `parent` show `nodes`.
 *
 * @param {globalThis.Element} parent
 * @param {Node[]} nodes
 */
export function patch(parent, nodes) {
  const before = shown.get(parent) ?? [];
  for (let i = before.length - 1; i >= nodes.length; i--) {
    remove(/** @type {ChildNode} */ (parent.childNodes[i]), /** @type {Node} */ (before[i]));
  }
  nodes.forEach((node, i) => {
    const old = before[i];
    const place = parent.childNodes[i];
    if (old === undefined || !place) {
      parent.append(make(node, parent));
      enter(node, parent.childNodes[i]);
    } else if (!alike(old, node)) {
      leave(old, place);
      place.replaceWith(make(node, parent));
      enter(node, parent.childNodes[i]);
    } else if (typeof node === "string") {
      if (old !== node) place.nodeValue = node;
    } else update(/** @type {globalThis.Element} */ (place), /** @type {Element} */ (old), node);
  });
  shown.set(parent, nodes);
}

/**
 * @param {Node} one
 * @param {Node} other
 */
function alike(one, other) {
  if (typeof one === "string" || typeof other === "string") return typeof one === typeof other;
  return one.tag === other.tag && one.props.key === other.props.key;
}

/**
 * @param {Node} node
 * @param {globalThis.Element} parent
 * @returns {globalThis.Element | Text}
 */
function make(node, parent) {
  if (typeof node === "string") return document.createTextNode(node);
  const inSvg = node.tag === "svg" || (parent.namespaceURI === SVG && parent.localName !== "foreignObject");
  const element = inSvg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  update(element, { tag: node.tag, props: {}, children: [] }, node);
  return element;
}

/**
 * @param {globalThis.Element} element
 * @param {Element} before
 * @param {Element} node
 */
function update(element, before, node) {
  for (const name of Object.keys(before.props)) {
    if (!(name in node.props)) set(element, name, null);
  }
  for (const [name, value] of Object.entries(node.props)) {
    if (PROPERTIES.has(name) || value !== before.props[name]) set(element, name, value);
  }
  patch(element, node.children);
}

/**
 * @param {any} element
 * @param {string} name
 * @param {any} value
 */
function set(element, name, value) {
  if (RESERVED.has(name)) return;
  if (name.startsWith("on")) element[name] = value;
  else if (PROPERTIES.has(name)) {
    if (element[name] !== value) element[name] = value;
  } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/**
 * @param {ChildNode} place
 * @param {Node} old
 */
function remove(place, old) {
  leave(old, place);
  place.remove();
}

/**
 * Tells a node and all within it that they stand in the document: while they are made, they do not yet. The outer
 * one first, so that what is within a dialog is told once that is open.
 *
 * @param {Node} node
 * @param {globalThis.Node | undefined} place
 */
function enter(node, place) {
  if (typeof node === "string" || !place?.isConnected) return;
  node.props.created?.(place);
  node.children.forEach((child, i) => {
    enter(child, place.childNodes[i]);
  });
}

/**
 * Tells a node and all within it that they leave.
 *
 * @param {Node} old
 * @param {globalThis.Node | undefined} place
 */
function leave(old, place) {
  if (typeof old === "string" || !place) return;
  old.children.forEach((child, i) => {
    leave(child, place.childNodes[i]);
  });
  old.props.removed?.(place);
}

/**
 * Gives the focus to an element if, once all of the page is drawn, nothing has it any more: what had it is gone, or
 * takes no input now.
 *
 * @param {HTMLElement | null} element
 */
export function takeFocus(element) {
  queueMicrotask(() => {
    const { activeElement } = document;
    if (!activeElement || activeElement.matches("body, :disabled")) element?.focus({ preventScroll: true });
  });
}
