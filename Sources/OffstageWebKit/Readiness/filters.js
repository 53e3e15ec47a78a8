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

  // The distance in CSS px from a box that its shadows and filters can reach, at most. The usual region of an SVG filter is a tenth
  // larger on each side.
  function reach({ filter, boxShadow, textShadow, outlineWidth, outlineOffset }, { width, height }) {
    const text = `${filter} ${boxShadow} ${textShadow} ${outlineWidth} ${outlineOffset}`;
    const lengths = [...text.matchAll(/(-?[\d.]+)px/g)].reduce((sum, [, number]) => sum + 3 * Math.abs(number), 1);
    return filter.includes('url(') ? lengths + 0.15 * (width + height) : lengths;
  }

  const meet = (one, other, margin = 0) => ({
    left: Math.max(one.left - margin, other.left), top: Math.max(one.top - margin, other.top),
    right: Math.min(one.right + margin, other.right), bottom: Math.min(one.bottom + margin, other.bottom),
  });
  const isEmpty = ({ left, top, right, bottom }) => left >= right || top >= bottom;

  // The part of the snapshot in which an element can be painted. Ancestors of an absolute box may not cut it off.
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

  // True if the element, its text or an element in it may reach the part.
  function isPainted(element, part, search) {
    if (isEmpty(part)) return false;
    const margin = reach(getComputedStyle(element), rectangle(element));
    const range = call(document, 'createRange');
    range.selectNodeContents(element);
    if (!isEmpty(meet(range.getBoundingClientRect(), part, margin))) return true;
    for (const one of [element, ...find(element, '*')]) {
      search.left -= 1;
      if (search.left < 0) return true;
      const box = rectangle(one);
      if (!isEmpty(meet(box, part, margin + (one === element ? 0 : reach(getComputedStyle(one), box))))) return true;
    }
    return false;
  }

  // Shows the filters again that the last call has hidden, then hides those of elements that are not painted in a snapshot of this size
  // in CSS px.
  function hide(width, height) {
    for (const { element, text } of hidden.splice(0)) {
      const shown = element.deref();
      if (shown) styleOf(shown).cssText = text;
    }
    const snapshot = { left: 0, top: 0, right: width, bottom: height };
    // In a document with more elements, some filters may stay.
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
