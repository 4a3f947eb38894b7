import { entryPoints } from '../../../../src/eth/entry-point';
import { drawValidity } from '../../../../src/ui/confirm/operation-cost';
import { OPERATION } from '../../../support/plain-operation';
import { textOf, textsOf, translate } from '../../../support/view';

const draw = (nonce: bigint): string[] =>
  textsOf(
    drawValidity({
      translate,
      chain: 'eip155:1',
      entryPoint: '0.8',
      operation: { ...OPERATION, nonce },
    }),
  );

describe('the validity of a user operation', () => {
  const place = [
    textOf('field.entryPoint'),
    '0.8',
    textOf('field.entryPointAddress'),
    entryPoints['0.8'].entryPoint,
  ];
  const expiry = [textOf('field.expiry'), textOf('expiry.none')];

  it('is an entry point, and a nonce whose key is 0', () => {
    const nonce = [textOf('field.nonce'), '18446744073709551615'];
    expect(draw(2n ** 64n - 1n)).toStrictEqual([...place, ...nonce, ...expiry]);
  });

  it('splits a nonce with a key', () => {
    const nonce = [textOf('field.nonceKey'), '5', textOf('field.nonceSequence'), '3'];
    expect(draw((5n << 64n) + 3n)).toStrictEqual([...place, ...nonce, ...expiry]);
  });
});
