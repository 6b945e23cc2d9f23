/** Bytes as hexadecimal pairs; `..` is any byte. */
interface Signature {
  mimeType: string
  pattern: string
}

const signatures: readonly Signature[] = [
  { mimeType: 'image/png', pattern: '89504e470d0a1a0a' },
  { mimeType: 'image/jpeg', pattern: 'ffd8ff' },
  { mimeType: 'image/gif', pattern: '474946383761' },
  { mimeType: 'image/gif', pattern: '474946383961' },
  { mimeType: 'image/webp', pattern: '52494646........57454250' },
  { mimeType: 'image/avif', pattern: '........6674797061766966' },
  { mimeType: 'image/avif', pattern: '........6674797061766973' },
  { mimeType: 'image/heic', pattern: '........6674797068656963' },
  { mimeType: 'image/heic', pattern: '........6674797068656978' },
  { mimeType: 'image/heif', pattern: '........667479706d696631' },
  { mimeType: 'image/jxl', pattern: '0000000c4a584c200d0a870a' },
  { mimeType: 'image/tiff', pattern: '49492a00' },
  { mimeType: 'image/tiff', pattern: '4d4d002a' },
  { mimeType: 'image/bmp', pattern: '424d........00000000' },
  { mimeType: 'image/vnd.microsoft.icon', pattern: '00000100..00' },
  { mimeType: 'image/vnd.adobe.photoshop', pattern: '38425053' },
  { mimeType: 'audio/wav', pattern: '52494646........57415645' },
  { mimeType: 'audio/mpeg', pattern: '494433' },
  { mimeType: 'audio/mpeg', pattern: 'fffb' },
  { mimeType: 'audio/mpeg', pattern: 'fff3' },
  { mimeType: 'audio/mpeg', pattern: 'fff2' },
  { mimeType: 'audio/aac', pattern: 'fff1' },
  { mimeType: 'audio/aac', pattern: 'fff9' },
  { mimeType: 'audio/flac', pattern: '664c6143' },
  { mimeType: 'audio/ogg', pattern: '4f676753' },
  { mimeType: 'audio/midi', pattern: '4d546864' },
  { mimeType: 'audio/aiff', pattern: '464f524d........41494646' },
  { mimeType: 'audio/amr', pattern: '2321414d52' },
  { mimeType: 'audio/mp4', pattern: '........667479704d3441' },
  { mimeType: 'video/quicktime', pattern: '........6674797071742020' },
  { mimeType: 'video/mp4', pattern: '........66747970' },
  { mimeType: 'video/x-msvideo', pattern: '52494646........41564920' },
  { mimeType: 'video/webm', pattern: '1a45dfa3' },
  { mimeType: 'application/pdf', pattern: '255044462d' },
  { mimeType: 'application/zip', pattern: '504b0304' },
  { mimeType: 'application/zip', pattern: '504b0506' },
  { mimeType: 'application/gzip', pattern: '1f8b08' },
  { mimeType: 'application/zstd', pattern: '28b52ffd' },
  { mimeType: 'application/x-bzip2', pattern: '425a68..314159265359' },
  { mimeType: 'application/x-xz', pattern: 'fd377a585a00' },
  { mimeType: 'application/x-7z-compressed', pattern: '377abcaf271c' },
  { mimeType: 'application/vnd.rar', pattern: '526172211a07' },
  { mimeType: 'application/wasm', pattern: '0061736d' },
  { mimeType: 'application/vnd.sqlite3', pattern: '53514c69746520666f726d6174203300' },
  { mimeType: 'font/woff2', pattern: '774f4632' },
  { mimeType: 'font/woff', pattern: '774f4646' },
]

const bytesNeeded = Math.max(...signatures.map(({ pattern }) => pattern.length / 2))

/**
 * Recognizes common images, audio, video, archives, PDF and fonts by their first bytes. Sixteen bytes are enough. Returns `undefined` for text and
 * anything else.
 */
export function sniffMimeType(bytes: Uint8Array): string | undefined {
  const head = Array.from(bytes.subarray(0, bytesNeeded), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  return signatures.find(({ pattern }) => matches(head, pattern))?.mimeType
}

function matches(head: string, pattern: string): boolean {
  if (head.length < pattern.length) return false
  for (let index = 0; index < pattern.length; index += 1) {
    if (pattern[index] !== '.' && pattern[index] !== head[index]) return false
  }
  return true
}
