import { encodeFunctionData, erc20Abi, maxUint256, parseAbi } from 'viem';

import type { Hex } from '../../../../src/eth/hex';
import { CallData } from '../../../../src/ui/components/CallData';
import { textOf, textsOf, translate } from '../../../support/view';

const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const unit = { symbol: 'USDC', decimals: 6 };

const draw = (data: Hex, isKnown = true): string[] =>
  textsOf(CallData({ translate, data, unit: isKnown ? unit : undefined }));

const encode = (functionName: 'transfer' | 'approve', amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName, args: [FRIEND, amount] });

describe('the amount of a call', () => {
  it.each(['transfer', 'approve'] as const)(
    'is in the unit of the token: %s',
    (name) => {
      expect(draw(encode(name, 250_500_000n))).toContain('250.5 USDC (250500000)');
    },
  );

  it('is in the smallest unit of a token that nobody knows', () => {
    const texts = draw(encode('transfer', 250_500_000n), false);
    expect(texts).toContain('250500000');
    expect(texts.join(' ')).not.toContain('USDC');
  });

  it('is named where it is the largest', () => {
    expect(draw(encode('approve', maxUint256))).toContain(textOf('value.largest'));
  });

  it('is none where the numbers are of something else', () => {
    const abi = parseAbi(['function deposit(uint256 assets, address receiver)']);
    const data = encodeFunctionData({
      abi,
      functionName: 'deposit',
      args: [250_500_000n, FRIEND],
    });
    expect(draw(data).join(' ')).not.toContain('USDC');
  });
});
