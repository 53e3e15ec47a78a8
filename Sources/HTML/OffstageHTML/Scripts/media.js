// Shows audio and video without a decoder. A video shows its poster. An element with controls shows them as they look
// before any media has loaded. Runs in Offstage's script world, in every document and frame, after `still.js`.
'use strict';
globalThis.offstageMedia = (() => {
  const { get, call, find, attribute, styleOf } = offstageDOM;

  // Audio and video elements of HTML only; these names have no meaning in SVG. `roots` are documents and open shadow roots.
  const elements = (roots) => roots.flatMap((one) => [...find(one, 'audio, video')].filter((element) => get(element, 'networkState') !== undefined));

  const files = (element) => [element, ...find(element, ':scope > source')].filter((one) => attribute(one, 'src') !== null);
  const isVideo = (element) => get(element, 'localName') === 'video';

  // The posters, each with a promise that resolves when the poster has arrived. Offstage loads them as images of its own. Calls
  // `fail` for unusable posters. An image that the policy blocks is `complete` before its error event, so wait for the event.
  const posters = (media, fail) => media.map((element) => get(element, 'poster')).filter(Boolean).map((url) => [url, new Promise((resolve) => {
    const image = new Image();
    image.addEventListener('load', resolve);
    image.addEventListener('error', () => { fail(url); resolve(); });
    image.src = url;
  })]);

  const sources = (media) => media.flatMap(files).map((one) => get(one, 'src')).filter(Boolean);

  // The media that the picture lacks: the first frame of a video without a poster, or the duration in an audio player. Audio
  // without controls is invisible.
  const unplayed = (media) => media.filter((element) => isVideo(element) ? !get(element, 'poster') : get(element, 'controls'))
    .flatMap((element) => sources([element]).slice(0, 1));

  // A script inside WebKit lays out the controls. It waits for a frame, and a hidden view has no frames. But when the element's
  // size changes, the script runs at once, so this changes the size.
  function layOutControls(media) {
    const controlled = media.filter((element) => get(element, 'controls'));
    return controlled.length ? layOut(controlled.map(withoutFiles)) : undefined;
  }

  // Replaces an element with a copy that has no files, because WebKit never clears the error that a missing decoder causes.
  function withoutFiles(element) {
    if (files(element).length === 0) return element;
    call(element, 'removeAttribute', 'src');
    const copy = call(element, 'cloneNode', false);
    call(element, 'replaceWith', copy);
    return copy;
  }

  async function layOut(controlled) {
    // The layout may request another icon, which needs another round.
    for (let round = 0; round < 3; round += 1) {
      await icons();
      await Promise.all(controlled.map(resize));
    }
  }

  // WebKit's icons are data URIs, which load one after another. An icon of our own loads after those already requested.
  let asked = 0;
  const icons = () => new Promise((resolve) => {
    const image = new Image();
    image.onload = image.onerror = resolve;
    image.src = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" id="a${asked += 1}"/>`;
  });

  async function resize(element) {
    const style = attribute(element, 'style');
    styleOf(element).setProperty('display', 'none', 'important');
    offstageDOM.rectangle(element);
    if (style === null) call(element, 'removeAttribute', 'style');
    else call(element, 'setAttribute', 'style', style);
    offstageDOM.rectangle(element);
    // This event is queued behind the notification of the new size.
    await new Promise((resolve) => {
      call(element, 'addEventListener', 'ratechange', resolve, { once: true });
      offstageDOM.set(element, 'defaultPlaybackRate', get(element, 'defaultPlaybackRate') + 1);
    });
  }

  // The document cannot reach into a frame of another origin, such as a data URI. It sends the frame a message, and the frame
  // answers once its media are laid out. These messages are hidden from the page's scripts.
  const request = 'offstage-media?';
  const reply = 'offstage-media:';

  // The longest wait for a frame's answer, in milliseconds. A document that has removed our listeners never answers.
  const patience = 1000;

  // If the frame's `sandbox` attribute allows no scripts, our listeners don't run either.
  const isMute = (frame) => !/^(?:.*\s)?allow-scripts(?:\s.*)?$/is.test(attribute(frame, 'sandbox') ?? 'allow-scripts');

  const strangers = (roots) => roots.flatMap((one) => [...find(one, 'iframe, frame, object')]).filter(
    (frame) => get(frame, 'contentDocument') === null && get(frame, 'contentWindow') && !isMute(frame));

  // The media of frames of another origin, and of the frames inside those: a list of `answer`'s results. Undefined if there are
  // no such frames.
  function ofFrames(roots) {
    const frames = strangers(roots);
    return frames.length ? Promise.all(frames.map((frame) => ask(get(frame, 'contentWindow')))) : undefined;
  }

  const ask = (frame) => new Promise((resolve) => {
    const end = (text) => {
      call(globalThis, 'removeEventListener', 'message', hear, true);
      resolve(told(text));
    };
    const hear = (event) => {
      const { source, data } = event;
      if (source !== frame || typeof data !== 'string' || !data.startsWith(reply)) return;
      event.stopImmediatePropagation();
      end(data.slice(reply.length));
    };
    call(globalThis, 'addEventListener', 'message', hear, true);
    frame.postMessage(request, '*');
    setTimeout(() => end('{}'), patience);
  });

  // A frame's scripts can send any text.
  function told(text) {
    let lists;
    try {
      lists = JSON.parse(text);
    } catch {
      // Not a valid answer: use empty lists.
    }
    const strings = (list) => Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
    return { unplayed: strings(lists?.unplayed), sources: strings(lists?.sources), broken: strings(lists?.broken) };
  }

  // Lays out the media of this frame. Resolves to the URLs of the unplayed media, of all media files, and of unusable posters.
  async function answer() {
    const roots = offstageStill.withShadowRoots([document]);
    const media = elements(roots);
    const all = { unplayed: unplayed(media), sources: sources(media), broken: [] };
    await Promise.all(posters(media, (url) => all.broken.push(url)).map(([, arrival]) => arrival));
    await layOutControls(media);
    for (const inner of await ofFrames(roots) ?? []) for (const name of Object.keys(all)) all[name].push(...inner[name]);
    return all;
  }

  if (self !== top) {
    call(globalThis, 'addEventListener', 'message', async (event) => {
      const { source, data } = event;
      if (data !== request) return;
      event.stopImmediatePropagation();
      source?.postMessage(reply + JSON.stringify(await answer()), '*');
    }, true);
  }

  return { elements, posters, sources, unplayed, layOutControls, ofFrames };
})();
