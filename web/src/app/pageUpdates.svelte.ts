/** Registers the service worker (web/worker), which opens the app without its server, and reports new versions. */
export class PageUpdates {
  /** Whether a new version has been loaded completely and waits for a reload. */
  ready = $state(false);
  private registration: ServiceWorkerRegistration | null = null;

  /** Whether the app can be opened without its server. Needs HTTPS or localhost. */
  get active(): boolean {
    return this.registration !== null;
  }

  async start(): Promise<void> {
    if (import.meta.env.DEV || !("serviceWorker" in navigator)) return;
    const { serviceWorker } = navigator;
    this.registration = await serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => null);
    this.registration?.addEventListener("updatefound", () => this.watch(this.registration?.installing));
    this.watch(this.registration?.installing);
    this.watch(this.registration?.waiting);
  }

  /** Look for a new version; browsers do so only when a page is opened. */
  async check(): Promise<void> {
    await this.registration?.update().catch(() => {}); // the next check tries again
  }

  /** Show the new version. Other open pages keep theirs until they are reloaded. */
  reload(): void {
    const waiting = this.registration?.waiting;
    if (!waiting) return location.reload();
    waiting.addEventListener("statechange", () => waiting.state === "activated" && location.reload());
    waiting.postMessage("activate");
  }

  private watch(worker: ServiceWorker | null | undefined): void {
    if (!worker || !this.registration?.active) return; // the first version needs no reload
    const report = () => {
      if (worker.state === "installed") this.ready = true;
    };
    worker.addEventListener("statechange", report);
    report();
  }
}
