// What a page notes down about itself; it runs before anything else of the page does.
(() => {
  const notes = { usable: null, clicks: [], handled: [], frames: [], confirmed: null };
  window.probe = notes;

  // When something can be clicked for the first time: it is there, it is not busy, and nothing lies over it.
  notes.watchFor = (selector) => {
    const isUsable = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return width > 0 && !element.disabled && element.contains(hit);
    };
    const look = () => {
      const element = document.querySelector(selector);
      if (element === null || !isUsable(element)) return requestAnimationFrame(look);
      afterPaint(() => (notes.usable = performance.now()));
    };
    requestAnimationFrame(look);
  };

  // A message is heard after the frame has been handed over to be shown.
  const afterPaint = (act) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = act;
      port2.postMessage(null);
    });

  // From a click to the frame that shows its answer, as the browser has it: in steps of 8 ms, from 16 ms on.
  const observer = new PerformanceObserver((list) => notes.hear(list.getEntries()));
  notes.hear = (entries) => {
    for (const { name, duration, startTime, processingStart, processingEnd } of entries)
      if (name === "click")
        notes.clicks.push({ at: startTime, duration, handling: processingEnd - processingStart });
  };
  observer.observe({ type: "event", durationThreshold: 16 });
  addEventListener("click", (event) => notes.handled.push(event.timeStamp), true);

  // The click that was last handled, once its frame is shown: its milliseconds and how many of them were its handling.
  notes.answered = async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(afterPaint);
    notes.hear(observer.takeRecords());
    const at = notes.handled.at(-1);
    return notes.clicks.findLast((click) => click.at === at) ?? { at, duration: 16, handling: 0 };
  };

  // The milliseconds between frames, while they are asked for.
  let running = false;
  notes.startFrames = () => {
    running = true;
    let before = null;
    const step = (now) => {
      if (before !== null) notes.frames.push(now - before);
      before = now;
      if (running) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  };
  notes.stopFrames = () => {
    running = false;
    return notes.frames.splice(0);
  };

  // When turns arrive, and whose they are; a turn of one's own counts from the click on Confirm.
  addEventListener("click", (event) => {
    if (event.target.closest?.(".turn button.main")) notes.confirmed = event.timeStamp;
  }, true);
  // What is in a message is looked at later, for that takes time too.
  const heard = [];
  const hear = ({ data }) => heard.push({ at: performance.now(), data, confirmed: notes.confirmed });
  notes.arrivals = () =>
    heard.flatMap(({ at, data, confirmed }) =>
      (JSON.parse(data).events ?? [])
        .filter((event) => event.type === "play")
        .map(({ chair }) => ({ at, chair, confirmed })),
    );
  window.WebSocket = class extends WebSocket {
    constructor(...words) {
      super(...words);
      this.addEventListener("message", hear);
    }
  };
})();
