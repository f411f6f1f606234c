import { gzipSync } from 'node:zlib';

/** A file of an archive; `path` with slashes. */
export interface ArchivedFile {
  path: string;
  content: Buffer;
  isProgram: boolean;
}

const block = 512;
/** Every file is as old as the next: the archive says nothing of when it was made. The first of January 2000, UTC. */
const madeAt = 946_684_800;

/**
 * The files as a gzipped tar archive of root's. The same files give the same bytes, in whatever order they come.
 *
 * @param level how hard gzip tries, from 0, which only wraps, to 9
 * @throws Error for a path that the format has no room for
 */
export function tarball(files: readonly ArchivedFile[], level = 6): Buffer {
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap((file) => [headerOf(file), file.content, padding(file.content.length)]);
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level });
}

function padding(length: number): Buffer {
  return Buffer.alloc((block - (length % block)) % block);
}

/** Of POSIX's ustar. */
function headerOf({ path, content, isProgram }: ArchivedFile): Buffer {
  const { prefix, name } = split(path);
  const header = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), at);
  header.write(name, 0);
  octal(isProgram ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(content.length, 124, 12);
  octal(madeAt, 136, 12);
  header.write('        0', 148);
  header.write('ustar\u000000root', 257);
  header.write('root', 297);
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return header;
}

function split(path: string): { prefix: string; name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path };
  const at = path.lastIndexOf('/', 155);
  const parts = { prefix: path.slice(0, at), name: path.slice(at + 1) };
  if (at < 1 || Buffer.byteLength(parts.name) > 100) throw new Error(`${path}: too long for an archive.`);
  return parts;
}
