import { crc32, deflateSync } from 'node:zlib'

/** Makes a PNG of colours. `noise`: each row is the same noise, moved by one byte, so that it compresses badly. `clear`: all pixels are clear. */
export function makePng(
  width: number,
  height: number,
  { seed = 1, kind = 'plain' }: { seed?: number; kind?: 'plain' | 'noise' | 'clear' } = {},
): string {
  const channels = kind === 'clear' ? 4 : 3
  const rows = Buffer.alloc(height * (1 + width * channels))
  if (kind === 'noise') fillWithNoise(rows, seed)
  else if (kind === 'plain') rows.fill(200)
  for (let row = 0; row < height; row += 1) rows[row * (1 + width * channels)] = 0
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, kind === 'clear' ? 6 : 2, 0, 0, 0], 8)
  const body = deflateSync(rows, { level: kind === 'noise' ? 0 : 1 })
  return toPng([
    ['IHDR', head],
    ['IDAT', body],
    ['IEND', Buffer.alloc(0)],
  ])
}

function fillWithNoise(rows: Buffer, seed: number): void {
  let state = seed
  for (let index = 0; index < rows.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    rows[index] = state >>> 24
  }
}

/** Joins chunks to a PNG. */
export function toPng(chunks: readonly (readonly [type: string, data: Uint8Array])[]): string {
  const parts = chunks.flatMap(([type, data]) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return [length, named, sum]
  })
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]).toString('base64')
}

/** Adds an EXIF orientation to a JPEG. */
export function withOrientation(jpeg: string, orientation: number): string {
  const bytes = Buffer.from(jpeg, 'base64')
  const exif = Buffer.from(
    'ffe100224578696600004d4d002a0000000800010112000300000001000000000000',
    'hex',
  )
  exif[exif.length - 5] = orientation
  const [start, rest] = [bytes.subarray(0, 2), bytes.subarray(2)]
  return Buffer.concat([start, exif, Buffer.alloc(2), rest]).toString('base64')
}

/** A JPEG of 40 × 20 pixels: the left half is red with a white corner at the top, the right half is blue. */
export const JPEG =
  '/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAUACgDAREAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAAYHCAn/xAAuEAABAQQHBQkAAAAAAAAAAAAAAgEEBgcDBRITRYPCCBEVGCEiMThRVoSltNP/xAAYAQEBAQEBAAAAAAAAAAAAAAAIAAkHBf/EADIRAAEBBQQDEQAAAAAAAAAAAAABAgMECIMFEUXDBgchEhUXMTU2QVNUgaGjsrPR0vH/2gAMAwEAAhEDEQA/AOqZEcmduXxSxt7L6LucptzlB53elB/aruaEFU91syTNXC83QMaWXGKGccOmGwqtlCAOMHQERvXnlnd62+JcfwMVt/LQ6zwZ+DTbgu0Q7F5j37kljmOa8mVFL7EcRvvEa5fbF+83SKK3YQmjT2UJSlm5KEs6MZ3eZ5L9+8iXivXq3tL+dB0Cy7Lg7Fg2ICAY3Dpi+5L1W69VaXa0qrxqq7VJHNXC83QNyWXGKGcE6YbCq2UIA4wdARF9MOTYsCIQZq4Xm6Bxyy4xQzgczDYVWyhAHGDoCI//2Q=='

/** The same in CMYK. */
export const CMYK_JPEG =
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJTUjI+WmFaUGBKUVJP/8AAFAgAFAAoBEMRAE0RAFkRAEsRAP/EABoAAQEBAAMBAAAAAAAAAAAAAAAHBQIGCAT/xAAsEAABAQQGCgMAAAAAAAAAAAAAAQMEBQcCERJFg8MGExchMTZDVYLBpLPS/9oADgRDAE0AWQBLAAA/AKcU4pxTgQmZPPcSwvqoEJmTz3EsL6qAJtOC6MbLMuD9bx9naJMXzgZgJsaRTgAAekjltB0r7r8dl+SE7QdK+6/HZfkAwolEHuKv7R+f2uteGtVunZSjXUiIm5EROCIYUSiD3FX9o/P7XWvDWq3TspRrqRETciInBEBNpwXRjZZ9MH63j7KLJi+cDMBNjSKcAAD0kdaPMQAAJtOC6MbLNOD9bx9lPkxfOBmAmxpFOAAB/9k='

/** The same as a PNG with 16 bits a channel. */
export const PNG_16 =
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAUEAIAAAAgtDSvAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAUUlEQVRYhe3WsREAMQgDwe2/ab4G4/lxcgrICAAhyVwBdnXfeVmngU/QhSdKTz88iZZUWrYkH7YMHp5knodJSwPrwqK0fliiJZWWLcmH/bqCD2H/yJqDDqhdAAAAAElFTkSuQmCC'

/** A GIF of 40 × 20 pixels with three frames; the first is red, the others are blue. */
export const ANIMATED_GIF =
  'R0lGODlhKAAUAIAAAExpcf8AACH5BAUAAAAALAAAAAAoABQAAAIajI+py+0Po5y02ouz3rz7D4biSJbmiabqihUAIfkEBQAAAAAsAAAAACgAFACATGlxAAD/AhqMj6nL7Q+jnLTai7PevPsPhuJIluaJpuqKFQA7'

/** The same as a WebP. */
export const ANIMATED_WEBP =
  'UklGRt4AAABXRUJQVlA4WAoAAAACAAAAJwAAEwAAQU5JTQYAAAD/////AQBBTk1GWgAAAAAAAAAAACcAABMAAGQAAAJWUDggQgAAAJADAJ0BKigAFAA+bTaXSKQjIiElaACADYlnAM+SgH4AACv3w3AA/vCbQ//kFywuuRr//ID/kB/yA//j3xCXXzQAAEFOTUZQAAAAAAAAAAAAJwAAEwAAyAAAAFZQOCA4AAAAtAIAnQEqKAAUAD5tLpFIglYAANiWcAdgAAV95kwAAP75Hdv//kB//kB//kB//ID//iF3sgMAAAA='
