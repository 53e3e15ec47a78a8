// Hides filters that WebKitGTK 2.52 paints in the wrong place. Runs in Offstage's script world before a snapshot.
//
// A filter that makes an element larger, such as `blur`, gets a picture of the part of the element that is painted. If nothing of the
// element is painted, because it is outside the snapshot or cut off by a scrolling ancestor, WebKit 2.52 paints a transparent box at the
// origin, which is as large as the filter's margins.
'use strict';
globalThis.offstageFilters ??= (() => {
  const { get, call, find, rectangle, above, styleOf } = offstageDOM;
  // The elements whose filters are hidden, with their inline styles. Weak, because the next document may be written into this one.
  const hidden = [];

  // How far a filter's Gaussian blur and a shadow reach, in CSS px: WebKit's own figures. A larger figure would leave the box at
  // the origin.
  const blurred = (deviation) => (deviation > 0 ? 1.5 * Math.max(2, Math.floor(1.88 * deviation + 0.5)) : 0);
  const shadow = (x, y, reach) => ({
    left: Math.max(0, reach - x), top: Math.max(0, reach - y), right: Math.max(0, reach + x), bottom: Math.max(0, reach + y),
  });
  const map = (one, other, join) => ({
    left: join(one.left, other.left), top: join(one.top, other.top),
    right: join(one.right, other.right), bottom: join(one.bottom, other.bottom),
  });
  const sum = (one, other) => map(one, other, (a, b) => a + b);
  const numbers = (match) => match.slice(1).map((text) => Number(text ?? 0));

  // The maximum distance from a box that its filter reaches on each side. By default, an SVG filter extends beyond its box by a
  // tenth on each side.
  function filterReach({ filter }, { width, height }) {
    let all = shadow(0, 0, filter.includes('url(') ? 0.15 * (width + height) : 0);
    for (const [, deviation] of filter.matchAll(/blur\(([\d.]+)px\)/g)) all = sum(all, shadow(0, 0, blurred(Number(deviation))));
    for (const match of filter.matchAll(/drop-shadow\(.*?(-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px/g)) {
      const [x, y, deviation] = numbers(match);
      all = sum(all, shadow(x, y, blurred(deviation)));
    }
    return all;
  }

  // The distance that an element's shadows and outline reach.
  function shadowReach({ boxShadow, textShadow, outlineStyle, outlineWidth, outlineOffset }) {
    const outline = outlineStyle === 'none' ? 0 : Math.max(0, parseFloat(outlineWidth) + parseFloat(outlineOffset));
    let all = shadow(0, 0, outline);
    const shadows = `${boxShadow}, ${textShadow}`.matchAll(/(-?[\d.]+)px (-?[\d.]+)px ([\d.]+)px(?: (-?[\d.]+)px)?( inset)?/g);
    for (const match of shadows) {
      if (match[5]) continue;
      const [x, y, radius, spread] = numbers(match);
      all = map(all, shadow(x, y, 1.4 * radius + spread), Math.max);
    }
    return all;
  }

  const none = { left: 0, top: 0, right: 0, bottom: 0 };
  const meet = (one, other, reach = none) => ({
    left: Math.max(one.left - reach.left, other.left), top: Math.max(one.top - reach.top, other.top),
    right: Math.min(one.right + reach.right, other.right), bottom: Math.min(one.bottom + reach.bottom, other.bottom),
  });
  const isEmpty = ({ left, top, right, bottom }) => left >= right || top >= bottom;

  // The part of the snapshot in which an element can be painted. Stops at an absolutely positioned box, because not every
  // ancestor of such a box cuts it off.
  function window(element, snapshot) {
    let part = snapshot;
    for (let one = element; !/absolute|fixed/.test(getComputedStyle(one).position);) {
      one = above(one);
      if (!one || one === get(document, 'documentElement') || one === get(document, 'body')) break;
      const { overflowX, overflowY, display } = getComputedStyle(one);
      const isCut = /auto|scroll|hidden/.test(overflowX) && /auto|scroll|hidden/.test(overflowY);
      if (isCut && !/^(?:inline|contents)$/.test(display)) part = meet(rectangle(one), part);
    }
    return part;
  }

  // True if the element, its text or an element in it may reach into this part of the snapshot.
  function isPainted(element, part, search) {
    if (isEmpty(part)) return false;
    const style = getComputedStyle(element);
    const filtered = filterReach(style, rectangle(element));
    const range = call(document, 'createRange');
    range.selectNodeContents(element);
    const content = range.getBoundingClientRect();
    // For an element without content, the range's box is at the origin.
    if (!isEmpty(content) && !isEmpty(meet(content, part, sum(filtered, shadowReach(style))))) return true;
    for (const one of [element, ...find(element, '*')]) {
      search.left -= 1;
      if (search.left < 0) return true;
      const box = rectangle(one), own = getComputedStyle(one);
      const further = one === element ? none : filterReach(own, box);
      if (!isEmpty(meet(box, part, sum(sum(filtered, further), shadowReach(own))))) return true;
    }
    return false;
  }

  // Restores the filters that the last call hid, then hides those of elements that are not painted in a snapshot of this size in
  // CSS px.
  function hide(width, height) {
    for (const { element, text } of hidden.splice(0)) {
      const shown = element.deref();
      if (shown) styleOf(shown).cssText = text;
    }
    const snapshot = { left: 0, top: 0, right: width, bottom: height };
    // The number of elements to examine. In a document with more elements, some filters may remain.
    const search = { left: 20000 };
    const filtered = [...find(document, '*')].filter((element) => getComputedStyle(element).filter !== 'none' && styleOf(element));
    for (const element of filtered) {
      if (isPainted(element, window(element, snapshot), search)) continue;
      const style = styleOf(element);
      hidden.push({ element: new WeakRef(element), text: style.cssText });
      // Keeps the stacking context and the containing block, and has no margins.
      style.setProperty('filter', 'opacity(1)', 'important');
      style.setProperty('transition', 'none', 'important');
    }
    return String(hidden.length);
  }

  return { hide };
})();
