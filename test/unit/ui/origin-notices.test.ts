import { toUnicodeOrigin } from '../../../src/eth/origin';
import { MessageConfirmation } from '../../../src/ui/confirm/message';
import { originNotices } from '../../../src/ui/origin-notices';
import { phishingOrigins } from '../../fixtures/trust/origins';
import { drawPage, textOf, textsOf, translate, warningsOf } from '../../support/view';

const draw = (origin: string): unknown =>
  drawPage(
    MessageConfirmation({
      translate,
      origin,
      account: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      message: new TextEncoder().encode('hello'),
    }),
  );

describe('an origin in a confirmation', () => {
  it.each(phishingOrigins)('is warned of: %s', (origin) => {
    const texts = originNotices(origin, translate).map(({ text }) => text);
    expect(texts).not.toHaveLength(0);
    expect(warningsOf(draw(origin))).toStrictEqual(expect.arrayContaining(texts));
  });

  it('is shown as it is and in its own letters', () => {
    const texts = textsOf(draw('https://xn--bcher-kva.example'));
    expect(texts).toContain('https://xn--bcher-kva.example');
    expect(texts).toContain(textOf('field.originLetters'));
    expect(texts).toContain('https://bücher.example');
    expect(toUnicodeOrigin('https://dapp.example')).toBe('https://dapp.example');
  });

  it('is shown once where it has but letters of ASCII', () => {
    expect(textsOf(draw('https://dapp.example'))).not.toContain(
      textOf('field.originLetters'),
    );
  });
});
