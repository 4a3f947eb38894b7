// Descriptions are in English in every language, and each screen that shows one says so once.
import type { JSXElement } from '@metamask/snaps-sdk/jsx';

import { loadTexts } from '../../../../dev/gallery/page';
import { nameOf } from '../../../../dev/gallery/screen';
import { describedScreens } from '../../../../dev/gallery/screens/described';
import type { Hex } from '../../../../src/eth/hex';
import { SignatureInsightView } from '../../../../src/insights/signature';
import { TransactionInsightView } from '../../../../src/insights/transaction';
import { decodeEntries } from '../../../../src/review/documents';
import type { CallEffect, Description } from '../../../../src/review/effects';
import { readCall } from '../../../../src/review/read';
import { textsOf } from '../../../support/view';

const notes = {
  de: 'Beschreibungen von Contracts sind auf Englisch.',
  ja: 'コントラクトの説明は英語です。',
};

const locales = ['de', 'ja'] as const;

const FROM: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

const description: Description = {
  intent: 'Swap',
  sentence: 'Swap 1 ETH for 3,000 USDC',
  fields: [{ label: 'Amount to Send', value: { text: '1 ETH' } }],
  omitted: 0,
  calls: [],
  stated: [],
};

const call: CallEffect = {
  ...readCall({ from: FROM, to: FROM, value: 0n, data: '0x12345678' }),
  description,
};

const withCall = (each: CallEffect) => ({ ...decodeEntries([]), calls: [each] });

const countNotes = (content: JSXElement): number =>
  textsOf(content).filter((text) => Object.values(notes).includes(text)).length;

describe.each(locales)('the note on English descriptions in %s', (locale) => {
  const [described, decoded] = ['after', 'before'].map((when) =>
    describedScreens
      .filter(({ state }) => state.endsWith(when))
      .map((screen) => [nameOf(screen), screen] as const),
  );

  it.each(described ?? [])('is shown once on %s', async (_name, screen) => {
    const content = await screen.draw(await loadTexts(locale));
    expect(textsOf(content).filter((text) => text === notes[locale])).toHaveLength(1);
  });

  it.each(decoded ?? [])('is not shown on %s', async (_name, screen) => {
    expect(countNotes(await screen.draw(await loadTexts(locale)))).toBe(0);
  });

  it('is shown once in insights, above the English text', async () => {
    const translate = await loadTexts(locale);
    const shown = { translate, chain: 'eip155:1', warnings: [] };
    const signature = { ...shown, account: FROM };
    const outer = { ...call, inside: [call] };
    for (const content of [
      TransactionInsightView({ ...shown, fees: undefined, call: outer }),
      SignatureInsightView({ ...signature, description, typed: withCall(call) }),
      SignatureInsightView({ ...signature, typed: withCall(call) }),
    ]) {
      const texts = textsOf(content);
      expect(countNotes(content)).toBe(1);
      expect(texts.indexOf(notes[locale])).toBeLessThan(texts.indexOf('Swap'));
      expect(texts).toEqual(expect.arrayContaining(['Amount to Send']));
    }
  });

  it('is not shown in insights without a description', async () => {
    const translate = await loadTexts(locale);
    const plain = readCall(call);
    const shown = { translate, chain: 'eip155:1', warnings: [] };
    expect(
      countNotes(TransactionInsightView({ ...shown, fees: undefined, call: plain })),
    ).toBe(0);
    const signature = { ...shown, account: FROM, typed: withCall(plain) };
    expect(countNotes(SignatureInsightView(signature))).toBe(0);
  });
});
