// What the user chose in the wallet's own settings.

/** Fetch the locale of the wallet's screens, as the wallet writes it: `de`, `zh_CN`. */
export async function fetchLocale(): Promise<string> {
  const { locale } = await snap.request({ method: 'snap_getPreferences' });
  return locale;
}
