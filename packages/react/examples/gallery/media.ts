/** A picture of 160 × 96 pixels, as base64. */
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAABgBAMAAABoCWSqAAAAGFBMVEUdK08SW33y8u7IPDL/2WYwMDhVcJAAAABA27itAAAA60lEQVR42u3VTQ4CIQwF4MafA7DwAp7ApBdwwRW4Avc/gpmoGQUpLXaB43sbNvClmU6BCEEQReJVtW3PanCJwmO2gDF2CmVmvthAEWXWi7FI21OKsU5d6EH3pVtgfdgBfC/UB3wx/MBHoa7gkokrnLjLrv9hMSnHtMZllr8AP982g6B0H+7O97jd2DZQ8aaYQE0AAhyI6V0GCPBfwefkuc0eQICbBJmdZw8gwC2C6+Q5zR5AgD8IhpxzDiE01lMqI+8PFMTUXkryCTJ7HZHsnizSgCeKNOJJIoktG1g7XbYHoA/o1+Kc0ZQZwRvOtXnkWBEMYgAAAABJRU5ErkJggg=='

/** The signal of a lighthouse, as a file of the type `audio/wav` in base64. */
export const SIGNAL = createSignal()

/** Half a second of a tone in 8 bits, after the header of a WAV file: its sizes, and its rate of 4,000 samples a second. */
function createSignal(): string {
  const rate = 4000
  const tone = Array.from({ length: rate / 2 }, (_, index) =>
    Math.round(128 + 60 * Math.sin((index * 440 * 2 * Math.PI) / rate)),
  )
  const header = [
    'RIFF',
    encodeNumber(36 + tone.length, 4),
    'WAVEfmt ',
    encodeNumber(16, 4),
    encodeNumber(1, 2),
    encodeNumber(1, 2),
    encodeNumber(rate, 4),
    encodeNumber(rate, 4),
    encodeNumber(1, 2),
    encodeNumber(8, 2),
    'data',
    encodeNumber(tone.length, 4),
  ]
  return btoa(header.join('') + String.fromCharCode(...tone))
}

/** Returns the bytes of a number, the smallest first, as characters. */
function encodeNumber(value: number, bytes: number): string {
  const each = Array.from({ length: bytes }, (_, index) => (value >> (8 * index)) & 255)
  return String.fromCharCode(...each)
}
