/** The id of a table in what someone typed or pasted: a link, or only its last part. */

const CODE = /^[A-Za-z0-9_-]{22}$/;
const LINK = /\/t\/([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])/;

export function tableIn(text: string): string | null {
  const trimmed = text.trim();
  if (CODE.test(trimmed)) return trimmed;
  return LINK.exec(trimmed)?.[1] ?? null;
}
