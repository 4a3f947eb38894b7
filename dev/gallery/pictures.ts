// Pictures of screens, made by a real Chromium.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { idOf, writePage } from './page';
import type { Look } from './page';
import type { Screen } from './screen';

/** Write a picture of every screen in every look into a folder. */
export async function takePictures(
  browser: Browser,
  { screens, looks, folder }: { screens: Screen[]; looks: Look[]; folder: string },
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1_700, height: 900 } });
  await page.setContent(writePage(screens, looks));
  for (const screen of screens) {
    for (const look of looks) {
      const id = idOf(screen, look);
      await page.locator(`#${id}`).screenshot({ path: join(folder, `${id}.png`) });
    }
  }
}
