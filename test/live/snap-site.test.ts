// npm start serves all that MetaMask fetches to install the snap, byte for byte: the checksum
// is made of it.
import { readFile } from 'node:fs/promises';

import { serveSnap } from '../../dev/start/sites';

type Manifest = {
  source: {
    files: string[];
    locales: string[];
    location: { npm: { filePath: string; iconPath: string } };
  };
};

it('serves every file that the manifest names', async () => {
  const manifest = JSON.parse(await readFile('snap.manifest.json', 'utf8')) as Manifest;
  const { files, locales, location } = manifest.source;
  const { filePath, iconPath } = location.npm;
  const { url, stop } = await serveSnap(0);
  try {
    for (const path of [filePath, iconPath, ...files, ...locales]) {
      const answer = await fetch(`${url}/${path}`);
      const text = await readFile(path, 'utf8');
      expect({ path, isSame: (await answer.text()) === text }).toStrictEqual({
        path,
        isSame: true,
      });
    }
  } finally {
    await stop();
  }
});
