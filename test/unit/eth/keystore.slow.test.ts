// A keystore file with the standard cost, which is slow to read.
import { decryptKeystore } from '../../../src/eth/keystore';
import { examples, KEY } from '../../support/keystores';

it('reads the scrypt example of the specification', async () => {
  const text = JSON.stringify(examples.scrypt);
  expect(await decryptKeystore(text, 'testpassword')).toBe(KEY);
});
