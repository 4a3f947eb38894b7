import { createRedirect } from '../../../src/handlers/redirect';
import { textOf, translate } from '../../support/view';

const ID = '9c190a38-8a7c-4f84-a390-53cd8b5f758b';

const redirectTo = (
  companion: string,
  id = ID,
): Promise<{ message: string; url: string }> =>
  createRedirect(companion, () => Promise.resolve(translate))(id);

describe('a redirect to the companion page', () => {
  it('names the request, and says what to do there', async () => {
    expect(await redirectTo('http://localhost:8000')).toStrictEqual({
      message: textOf('redirect.message'),
      url: `http://localhost:8000/?request=${ID}`,
    });
  });

  it.each([
    'http://localhost:8000',
    'https://companion.example',
    'https://companion.example:8443',
  ])('keeps the origin, by which MetaMask allows it: %s', async (origin) => {
    const { url } = await redirectTo(origin);
    expect(new URL(url).origin).toBe(origin);
  });

  it('leads nowhere else, whatever the id of the request', async () => {
    const id = '&x=1#/../\n//evil.example';
    const { url } = await redirectTo('https://companion.example', id);
    const { origin, pathname, hash, searchParams } = new URL(url);
    expect({ origin, pathname, hash }).toStrictEqual({
      origin: 'https://companion.example',
      pathname: '/',
      hash: '',
    });
    expect([...searchParams]).toStrictEqual([['request', id]]);
  });

  it('fails if its text cannot be had', async () => {
    const redirect = createRedirect('https://companion.example', () =>
      Promise.reject(new Error('no texts')),
    );
    await expect(redirect(ID)).rejects.toThrow(new Error('no texts'));
  });
});
