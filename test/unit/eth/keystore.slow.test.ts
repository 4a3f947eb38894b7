// A keystore file that takes as much work as such files usually do.
import { decryptKeystore } from '../../../src/eth/keystore';
import { examples, KEY } from '../../support/keystores';

it('reads the scrypt example of the specification', async () => {
  const text = JSON.stringify(examples.scrypt);
  expect(await decryptKeystore(text, 'testpassword')).toBe(KEY);
});
