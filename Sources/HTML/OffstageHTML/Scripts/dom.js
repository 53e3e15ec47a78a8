// Reads documents and elements through their prototypes: `<img name=images>` hides `document.images`, and a form's `<input
// name=style>` hides the form's `style`. Runs first in Offstage's script world, in every document and frame. A missing global
// resolves to a document's element of that name, so globals that a document may lack are defined here.
'use strict';
globalThis.offstageEmulation = undefined;
globalThis.offstageContent = undefined;
globalThis.offstageTiles = undefined;
globalThis.offstageFilters = undefined;
globalThis.offstageIsVast = undefined;
globalThis.offstageMostElements = undefined;
globalThis.offstageDOM = (() => {
  const get = (object, name) => Reflect.get(Object.getPrototypeOf(object), name, object);
  const call = (object, name, ...values) => get(object, name).apply(object, values);
  const set = (object, name, value) => Reflect.set(Object.getPrototypeOf(object), name, value, object);

  // Faster variants for loops over elements.
  const { call: apply } = Function.prototype;
  const method = (owner, name) => apply.bind(owner.prototype[name]);
  const getter = (owner, name) => apply.bind(Object.getOwnPropertyDescriptor(owner.prototype, name).get);

  const above = getter(Node, 'parentElement');

  // The product of the CSS `zoom` of an element and its ancestors: one px of the lengths of styles, of `clientLeft` and the like
  // is this many CSS px.
  function zoomOf(element) {
    let zoom = 1;
    for (let one = element; one; one = above(one)) zoom *= parseFloat(getComputedStyle(one).zoom) || 1;
    return zoom;
  }

  // The factor for the rectangles of an element and of ranges in it.
  const rectangleZoomOf = (element) => offstageDOM.dividesRectangles ? zoomOf(element) : 1;

  return {
    get, call, set, method, getter, above, zoomOf, rectangleZoomOf,
    // WebKitGTK 2.50 divides rectangles by the zoom, 2.52 does not: Readiness.swift sets this.
    dividesRectangles: true,
    // WebKitGTK 2.52 paints a filter even if nothing of its element is painted (`filters.js`).
    straysFilters: false,
    find: (root, selector) => call(root, 'querySelectorAll', selector),
    rectangle: method(Element, 'getBoundingClientRect'),
    attribute: method(Element, 'getAttribute'),
    isRendered: method(Element, 'checkVisibility'),
    children: getter(Element, 'children'),
    nameOf: getter(Element, 'localName'),
    shadowRoot: getter(Element, 'shadowRoot'),
    // The inline style of an HTML or SVG element. MathML elements have none.
    styleOf: (element) => get(element, 'style'),
  };
})();
