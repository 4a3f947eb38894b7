// Rewrites the links of Markdown files in the package: they are relative to the repository, and most
// of their targets are not in the package.
import { dirname, join } from 'node:path/posix';

export type LinkTargets = {
  page: string;
  files: readonly string[];
  /** Folder of the package in the repository. */
  folder: string;
  tag: string;
  home: string | undefined;
};

/** Matches code, which stays as it is, links and images. */
const LINKS =
  /```[\s\S]*?```|`[^`\n]*`|(?<bang>!?)\[(?<text>[^\]]*)\]\((?<target>[^)\s]+)\)/gu;

/**
 * Rewrites relative links: with a home, to the release's tag; without one, into plain text unless
 * the package has the file.
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
