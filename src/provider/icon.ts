// The icon of images/icon.svg as EIP-6963 wants it: within the announcement.

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-labe' +
  'l="Tollkeeper"><rect width="64" height="64" rx="14" fill="#12403a"/><rect x="12"' +
  ' y="14" width="7" height="36" rx="2" fill="#f4f1e8"/><rect x="45" y="24" width="' +
  '7" height="26" rx="2" fill="#f4f1e8"/><g transform="rotate(-14 19 24)"><rect x="' +
  '15" y="21" width="40" height="7" rx="2" fill="#f4b63f"/><path d="M24 21h6l-4 7h-' +
  '6zM38 21h6l-4 7h-6z" fill="#c7402d"/></g><circle cx="15.5" cy="24.5" r="4" fill=' +
  '"#f4b63f"/><rect x="8" y="48" width="48" height="4" rx="2" fill="#f4f1e8"/></svg' +
  '>';

/** Data URI of the icon. */
export const icon = `data:image/svg+xml,${encodeURIComponent(svg)}`;
