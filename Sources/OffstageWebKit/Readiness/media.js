// Audio and video, which are shown without a decoder. A video shows its poster. An element with controls shows them as WebKit
// draws them before anything has been loaded. Runs in Offstage's script world, in every document and frame, after `still.js`.
'use strict';
globalThis.offstageMedia = (() => {
  const { get, call, find, attribute, styleOf } = offstageDOM;

  // Only HTML's audio and video elements. In SVG and elsewhere these names have no meaning.
  // `roots` are documents and open shadow roots.
  const elements = (roots) => roots.flatMap((one) => [...find(one, 'audio, video')].filter((element) => get(element, 'networkState') !== undefined));

  const files = (element) => [element, ...find(element, ':scope > source')].filter((one) => attribute(one, 'src') !== null);
  const isVideo = (element) => get(element, 'localName') === 'video';

  // The posters, each with a promise that is kept when it is there. They are loaded as images of Offstage's own. Calls `fail` for
  // those that cannot be used. An image that the policy blocks is complete before its error arrives, so the event counts.
  const posters = (media, fail) => media.map((element) => get(element, 'poster')).filter(Boolean).map((url) => [url, new Promise((resolve) => {
    const image = new Image();
    image.addEventListener('load', resolve);
    image.addEventListener('error', () => { fail(url); resolve(); });
    image.src = url;
  })]);

  const sources = (media) => media.flatMap(files).map((one) => get(one, 'src')).filter(Boolean);

  // The parts that the picture lacks: the first frame of a video without a poster, the length in an audio player. Audio without
  // controls is invisible.
  const unplayed = (media) => media.filter((element) => isVideo(element) ? !get(element, 'poster') : get(element, 'controls'))
    .flatMap((element) => sources([element]).slice(0, 1));

  // A script of WebKit's own lays out its controls. It waits for a frame, which a hidden view does not have. But when the
  // element's size has changed, it runs at once, so this changes the size.
  function layOutControls(media) {
    const controlled = media.filter((element) => get(element, 'controls'));
    return controlled.length ? layOut(controlled.map(withoutFiles)) : undefined;
  }

  // Replaces an element by a copy without files, which does not show the error of a missing decoder. WebKit never clears that
  // error.
  function withoutFiles(element) {
    if (files(element).length === 0) return element;
    call(element, 'removeAttribute', 'src');
    const copy = call(element, 'cloneNode', false);
    call(element, 'replaceWith', copy);
    return copy;
  }

  async function layOut(controlled) {
    // The layout may request another icon, and so need another round.
    for (let round = 0; round < 3; round += 1) {
      await icons();
      await Promise.all(controlled.map(resize));
    }
  }

  // WebKit's icons are data URIs, which load one after the other. An icon of Offstage's own loads after those already
  // requested.
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

  // The document cannot reach into a frame of another origin, such as a data URI. It asks the frame by a message, and the frame
  // answers once its media are laid out. The page's scripts are not to see these messages.
  const request = 'offstage-media?';
  const reply = 'offstage-media:';

  // Milliseconds for the answer of a frame. A document that has taken our listeners away never gives one.
  const patience = 1000;

  // In a frame whose attribute `sandbox` allows no scripts, our own listeners are not called either.
  const isMute = (frame) => !/^(?:.*\s)?allow-scripts(?:\s.*)?$/is.test(attribute(frame, 'sandbox') ?? 'allow-scripts');

  const strangers = (roots) => roots.flatMap((one) => [...find(one, 'iframe, frame, object')]).filter(
    (frame) => get(frame, 'contentDocument') === null && get(frame, 'contentWindow') && !isMute(frame));

  // What the frames of another origin have to say of their media, and of those in their own frames: a list of `answer`'s results.
  // Nothing if there are no such frames.
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
      // It tells nothing.
    }
    const strings = (list) => Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
    return { unplayed: strings(lists?.unplayed), sources: strings(lists?.sources), broken: strings(lists?.broken) };
  }

  // Lays out the media of this frame. Resolves to the URLs of those that are not played, of all their files, and of the posters
  // that cannot be used.
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
