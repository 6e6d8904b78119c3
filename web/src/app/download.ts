/** Offer a text as a file to save. */
export function downloadFile(name: string, kind: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: kind }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
