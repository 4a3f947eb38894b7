// What the user chose in the wallet's own settings.
import { answered } from './answered';

/** Fetch the locale of the wallet's screens, as the wallet writes it: `de`, `zh_CN`. */
export async function fetchLocale(): Promise<string> {
  const method = 'snap_getPreferences';
  const { locale } = await answered(method, snap.request({ method }));
  return locale;
}
