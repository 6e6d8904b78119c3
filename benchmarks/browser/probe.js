// Measures a page from the inside. Runs before all other scripts of the page.
(() => {
  const notes = { usable: null, clicks: [], handled: [], frames: [], confirmed: null };
  window.probe = notes;

  // The time at which an element can first be clicked: it exists, is enabled and is not covered.
  notes.watchFor = (selector) => {
    const isUsable = (element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return width > 0 && !element.disabled && element.contains(hit);
    };
    const check = () => {
      const element = document.querySelector(selector);
      if (element === null || !isUsable(element)) return requestAnimationFrame(check);
      afterPaint(() => (notes.usable = performance.now()));
    };
    requestAnimationFrame(check);
  };

  // A message is delivered after the frame has been painted.
  const afterPaint = (act) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = act;
      port2.postMessage(null);
    });

  // From a click to the frame with its response, as measured by the browser: in steps of 8 ms, from 16 ms.
  const observer = new PerformanceObserver((list) => notes.collect(list.getEntries()));
  notes.collect = (entries) => {
    for (const { name, duration, startTime, processingStart, processingEnd } of entries)
      if (name === "click")
        notes.clicks.push({ at: startTime, duration, handling: processingEnd - processingStart });
  };
  observer.observe({ type: "event", durationThreshold: 16 });
  addEventListener("click", (event) => notes.handled.push(event.timeStamp), true);

  // The last click, once its frame is shown: its total time, and the time of its handlers.
  notes.answered = async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(afterPaint);
    notes.collect(observer.takeRecords());
    const at = notes.handled.at(-1);
    return notes.clicks.findLast((click) => click.at === at) ?? { at, duration: 16, handling: 0 };
  };

  // The milliseconds between frames, while running.
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

  // The arrival of turns with their chairs, and the time of the last click on Confirm.
  addEventListener("click", (event) => {
    if (event.target.closest?.(".turn button.main")) notes.confirmed = event.timeStamp;
  }, true);
  // Messages are parsed later, as that takes time too.
  const messages = [];
  const receive = ({ data }) => messages.push({ at: performance.now(), data, confirmed: notes.confirmed });
  notes.arrivals = () =>
    messages.flatMap(({ at, data, confirmed }) =>
      (JSON.parse(data).events ?? [])
        .filter((event) => event.type === "play")
        .map(({ chair }) => ({ at, chair, confirmed })),
    );
  window.WebSocket = class extends WebSocket {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", receive);
    }
  };
})();
