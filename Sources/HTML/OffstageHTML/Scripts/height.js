// Finds the viewport's height for a document whose picture is as high as its content. Runs in Offstage's script world, in the
// top document, before `readiness.js`.
//
// A document is first laid out in a viewport of 1 px, or of the minimum height. If it depends on the viewport's height, it is laid
// out again in the highest viewport in which it is not higher than its content. The hidden content of an area whose height
// follows the viewport's counts in full. If no such viewport exists, the first one is kept, or an ordinary one if that shows
// more.
'use strict';
globalThis.offstageHeight = (() => {
  const { get, call, find, rectangle, children, isRendered } = offstageDOM;
  const { depends, inFlow, natural } = offstageViewport;

  // The layout rounds of this document, once they have begun.
  let rounds = null;
  // The CSS px of content that areas hide in the final viewport, although they are as high as the viewport.
  let cut;

  // Starts over for a new document.
  function reset() { [rounds, cut] = [null, undefined]; }

  const lost = () => cut;

  // Returns the viewport height to measure next, in CSS px, or undefined if the current one is final.
  //
  // - wanted: `viewport` of a `Readiness.Question`.
  // - height: the content's height in the current viewport.
  function next({ certainly, least, most, isCut }, height, roots) {
    if (!rounds) {
      if (!certainly && !depends(roots)) return undefined;
      rounds = search(Math.max(least, 1), most, isCut);
      rounds.next();
    }
    return rounds.next(height).value;
  }

  // Waits until the viewport has this height. The change reaches WebKit on a different channel than scripts do.
  async function reached(height) {
    for (let turn = 0; innerHeight !== height && turn < 200; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  // MARK: The search

  // The height of an ordinary window, in CSS px.
  const ordinary = 600;

  // A generator: yields viewport heights and receives the content's height in each. `isCut` is true if the picture ends at the
  // maximum viewport height.
  function* search(least, most, isCut) {
    const start = innerHeight;
    const before = new Map([...hiding()].filter(([one]) => scrolls(one)).map(([one]) => [one, get(one, 'clientHeight')]));
    const height = yield undefined;
    yield* chosen(start, height, least, most, isCut);
    if (isCut && innerHeight >= most) return undefined;
    const followers = [...before].filter(([one, own]) => get(one, 'clientHeight') > own);
    // A rounded height may be off by 1 px.
    cut = Math.max(0, ...followers.map(([one]) => excess(one)).filter((rest) => rest > 1));
    return undefined;
  }

  // Ends in the final viewport.
  function* chosen(start, height, least, most, isCut) {
    const found = yield* fitting(start, height, least, most, isCut);
    if (found === 'exact' && !hasTinyText()) return;
    if (!found && innerHeight !== start) yield start;
    const present = innerHeight;
    if (Math.min(ordinary, most) <= present) return;
    const before = looks();
    if (!before) return;
    yield Math.min(ordinary, most);
    if (!before.some(found ? isCollapsed : showsMore)) yield present;
  }

  // Finds a viewport that has the content's height. Returns `exact`, `lower`, or nothing.
  function* fitting(start, height, least, most, isCut) {
    const whole = Math.max(natural(height), least);
    if (whole > most && !isCut) return undefined;
    const content = Math.min(whole, most);
    // An area that is as high as the viewport may be the only content.
    const isLow = content <= start;
    let now = isLow ? content : yield content;
    const hidden = hiding();
    if (hidden.size) {
      const followers = yield* following(hidden, content, most);
      if (followers.length) return (yield* opened(followers, hidden, content, most, isCut)) && 'exact';
      now = yield isLow ? start : content;
    }
    if (isLow) return start > 1 && 'exact';
    if (now <= whole) return 'exact';
    const lower = content + whole - now;
    return lower > start && (yield lower) <= whole && 'lower';
  }

  // The areas whose heights follow the viewport's height.
  function* following(hidden, content, most) {
    const before = [...hidden.keys()].map((one) => [one, get(one, 'clientHeight')]);
    yield Math.min(most, content + Math.max(...hidden.values()));
    return before.filter(([one, height]) => get(one, 'clientHeight') > height).map(([one]) => one);
  }

  // Opens these areas to the height that they need. Two layouts show how much of the viewport's growth each area gets.
  function* opened(followers, hidden, content, most, isCut) {
    let before = { viewport: content, rests: followers.map((one) => hidden.get(one)) };
    const highest = 4 * (content + Math.max(...before.rests));
    let height = Math.min(most, content + Math.max(...before.rests));
    for (let round = 0; round < 6; round += 1) {
      const picture = yield height;
      const rests = followers.map(excess);
      if (Math.max(...rests) <= 0) return picture <= highest;
      if (height >= most) return isCut;
      const step = height - before.viewport;
      const needed = rests.map((rest, index) => rest > 0 && rest * step / Math.max(0, before.rests[index] - rest));
      before = { viewport: height, rests };
      // Content that grows with its area never fits.
      if (!Number.isFinite(Math.max(...needed))) return false;
      height = Math.min(most, height + Math.ceil(Math.max(...needed)));
    }
    return false;
  }

  const scrolls = (area) => /auto|scroll/.test(getComputedStyle(area).overflowY);

  // The height of an area's hidden content, in CSS px.
  function excess(area) {
    if (scrolls(area)) return get(area, 'scrollHeight') - get(area, 'clientHeight');
    // In an area that does not scroll, boxes beyond the edge are often decoration.
    return Math.max(0, Math.ceil(inFlow(area).bottom - rectangle(area).bottom));
  }

  function hiding() {
    const root = get(document, 'documentElement');
    const body = get(document, 'body');
    const areas = new Map();
    for (const one of find(document, '*')) {
      if (one === root || get(one, 'scrollHeight') <= get(one, 'clientHeight') || !isRendered(one)) continue;
      const { overflowY, display } = getComputedStyle(one);
      if (overflowY === 'visible' || /^inline$|contents/.test(display) || one === body && isViewports(root)) continue;
      const rest = excess(one);
      if (rest > 0) areas.set(one, rest);
    }
    return areas;
  }

  // True if the viewport takes the body's overflow.
  const isViewports = (root) => getComputedStyle(root).overflowY === 'visible';

  // MARK: The content that a viewport shows

  // The maximum number of elements to compare.
  const mostLooks = 20000;
  // CSS px. Smaller text, or a lower image, is hardly visible.
  const [tiny, low] = [8, 64];
  const replaced = 'img, svg, canvas, video, iframe, object, embed, input, textarea, meter, progress';

  // The current state of each element, to determine later whether a higher viewport shows more. Undefined for a document with too
  // many elements.
  function looks() {
    const all = find(document, 'body, body *');
    return all.length > mostLooks ? undefined : [...all].map(look);
  }

  function look(element) {
    const style = getComputedStyle(element);
    const isOwn = element === get(document, 'body') || element === get(document, 'documentElement');
    return {
      element, isOwn, isShown: isRendered(element), size: hasText(element) ? parseFloat(style.fontSize) : 0,
      height: isSurface(element, style) ? rectangle(element).height : Infinity, isReplaced: call(element, 'matches', replaced),
      shown: get(element, 'clientHeight'),
      // For the body, nothing is lost.
      rest: isOwn || style.display === 'inline' ? 0 : get(element, 'scrollHeight') - get(element, 'clientHeight'),
    };
  }

  function showsMore(before) {
    const { isShown, height, rest, shown } = look(before.element);
    return isShown && (!before.isShown || hasLargerText(before) || height > before.height + 1 || rest < before.rest
      || before.rest > 0 && shown > before.shown + 1 && scrolls(before.element));
  }

  // True if too little of an element was left in a viewport of the content's height.
  function isCollapsed(before) {
    const { isShown, height } = look(before.element);
    return isShown && (!before.isShown || before.size < tiny && hasLargerText(before)
      || before.isReplaced && before.height < low && height > before.height + 1);
  }

  const hasLargerText = ({ element, size }) => hasText(element) && parseFloat(getComputedStyle(element).fontSize) > size + 0.01;

  // True if some text is so small that its size may be relative to a low viewport.
  const hasTinyText = () => [...find(document, 'body *')].slice(0, mostLooks).some((element) =>
    hasText(element) && parseFloat(getComputedStyle(element).fontSize) < tiny && isRendered(element));

  const hasText = (element) => [...get(element, 'childNodes')].some((node) => node.nodeType === 3 && /\S/.test(node.data));

  // True if an element itself paints something, and no in-flow content determines its height.
  function isSurface(element, { backgroundColor, backgroundImage, borderTopWidth }) {
    if (call(element, 'matches', replaced)) return true;
    if (backgroundImage === 'none' && /^rgba\(.*, 0\)$/.test(backgroundColor) && parseFloat(borderTopWidth) === 0) return false;
    return !hasText(element) && ![...children(element)].some((one) => {
      const { display, position } = getComputedStyle(one);
      return display !== 'none' && !/absolute|fixed/.test(position);
    });
  }

  return { next, reached, reset, lost };
})();
