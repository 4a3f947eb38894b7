// Tollkeeper Insight's entry in MetaMask's registry of snaps, which MetaMask's directory of snaps
// shows.
import { VerifiedSnapStruct } from '@metamask/snaps-registry';
import { create, type Infer } from '@metamask/superstruct';

export type RegistryEntry = Infer<typeof VerifiedSnapStruct>;

/** The registry requires three images. */
export const SCREENSHOTS = ['1', '2', '3'].map((name) => `${name}.png`);

/** Creates the entry for a release. `home` is the repository's URL, such as
 * `https://host/owner/name`. Throws if the registry would not accept the entry. */
export function toRegistryEntry({
  name,
  version,
  checksum,
  home,
}: Record<'name' | 'version' | 'checksum' | 'home', string>): RegistryEntry {
  const page = (path: string): string => `${home}/blob/v${version}/docs/${path}`;
  const entry = {
    id: `npm:${name}`,
    metadata: {
      name: 'Tollkeeper Insight',
      author: { name: 'The Tollkeeper contributors', website: home },
      website: page('guides/insight.md'),
      summary: 'Explains transactions and signatures, and warns of dangerous ones.',
      description:
        'Says in words what you are about to confirm: who may take what, until when, and what ' +
        'deserves a second look. Shows the digests that owners of a Safe compare on their ' +
        'devices, and how the fee compares with the market. It has no keys, no accounts and no ' +
        "network access besides MetaMask's own node. It stores only your Safes and language.",
      category: 'transaction insights',
      support: {
        contact: `${home}/issues`,
        faq: page('guides/insight-support.md#questions'),
        knowledgeBase: page('guides/insight.md'),
      },
      sourceCode: home,
      privacyPolicy: page('guides/insight-support.md#privacy'),
      screenshots: SCREENSHOTS.map((file) => `./images/tollkeeper-insight/${file}`),
    },
    versions: { [version]: { checksum } },
  };
  return create(entry, VerifiedSnapStruct);
}
