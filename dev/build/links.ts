// Links of the Markdown files that the package contains. In the repository they are relative;
// in the package most of what they lead to is missing.

import { dirname, join } from 'node:path/posix';

export type LinkTargets = {
  /** Path of the Markdown file in the package. */
  page: string;
  files: readonly string[];
  /** Folder of the package in the repository. */
  folder: string;
  tag: string;
  /** Address of the repository, if it has one. */
  home: string | undefined;
};

/** Code, which stays as it is, or a link or an image. */
const LINKS =
  /```[\s\S]*?```|`[^`\n]*`|(?<bang>!?)\[(?<text>[^\]]*)\]\((?<target>[^)\s]+)\)/gu;

/**
 * Rewrites the relative links of a Markdown file of the package: with a home, into links to the release's tag; without one, into plain text unless the package has the file.
 */
export function rewriteLinks(
  markdown: string,
  { page, files, folder, tag, home }: LinkTargets,
): string {
  return markdown.replace(LINKS, (whole: string, ...rest: unknown[]) => {
    const { bang, text, target } = rest.at(-1) as Record<string, string | undefined>;
    if (target === undefined || /^(?:[a-z]+:|#)/iu.test(target)) return whole;
    const path = join(dirname(page), target);
    const inRepository = join(folder, path);
    if (home !== undefined) {
      return `${bang}[${text}](${home}/${bang ? 'raw' : 'blob'}/${tag}/${inRepository})`;
    }
    if (files.includes(path.replace(/#.*$/u, ''))) return whole;
    return bang ? '' : `${text}`;
  });
}
