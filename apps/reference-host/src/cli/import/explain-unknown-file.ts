import { open } from 'node:fs/promises'

const UTF_16 = 'it is text in UTF-16; expected UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW'

/** The first bytes of files that cannot be read as they are, in hexadecimal digits, with what such a file is and what to do. */
const KINDS: readonly (readonly [start: string, message: string])[] = [
  ['1f8b', 'it is compressed (gzip); unpack it first: gunzip -k FILE'],
  ['28b52ffd', 'it is compressed (zstd); unpack it first: unzstd FILE'],
  ['fd377a585a', 'it is compressed (xz); unpack it first: unxz -k FILE'],
  ['425a68', 'it is compressed (bzip2); unpack it first: bunzip2 -k FILE'],
  ['504b0304', 'it is a ZIP archive; unpack it first, and name the files in it'],
  ['fffe', UTF_16],
  ['feff', UTF_16],
]

/** Says what a file without conversations is, if its start shows that it cannot have any. */
export async function explainUnknownFile(path: string): Promise<string | undefined> {
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
    if (bytesRead === 0) return 'it is empty'
    const start = buffer.toString('hex', 0, bytesRead)
    return KINDS.find(([begins]) => start.startsWith(begins))?.[1]
  } finally {
    await file.close()
  }
}
