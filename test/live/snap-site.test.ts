// npm start serves all that MetaMask fetches to install the snap, byte for byte: the checksum
// is made of it.
import { readFile } from 'node:fs/promises';

import { INSIGHT_SNAP } from '../../dev/build/build';
import { startStaticServer } from '../../dev/start/serve';
import { DEV_SNAP } from '../../dev/wallet/options';

type Manifest = {
  source: {
    files: string[];
    locales: string[];
    location: { npm: { filePath: string; iconPath: string } };
  };
};

it.each([
  ['keyring', DEV_SNAP],
  ['insight', INSIGHT_SNAP],
])('serves every file that the manifest of the %s snap names', async (_name, root) => {
  const manifest = JSON.parse(
    await readFile(`${root}/snap.manifest.json`, 'utf8'),
  ) as Manifest;
  const { files, locales, location } = manifest.source;
  const { filePath, iconPath } = location.npm;
  const { url, stop } = await startStaticServer({ port: 0, folders: { '/': root } });
  try {
    const manifestPath = 'snap.manifest.json';
    for (const path of [manifestPath, filePath, iconPath, ...files, ...locales]) {
      const answer = await fetch(`${url}/${path}`);
      const text = await readFile(`${root}/${path}`, 'utf8');
      expect({ path, isSame: (await answer.text()) === text }).toStrictEqual({
        path,
        isSame: true,
      });
    }
  } finally {
    await stop();
  }
});
