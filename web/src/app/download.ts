/** Give somebody a file; what the browser keeps it as is its own business. */
export function save(name: string, kind: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: kind }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
