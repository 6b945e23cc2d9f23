// A picture from a file, a picture that the program makes, and a recording that it makes.
import { defineTool, audio, failure, image, runTools } from '@toolblocks/tool-sdk'
import { Type } from '@toolblocks/tool-sdk/typebox'

const showPicture = defineTool({
  name: 'show_picture',
  summary: 'Show a picture of the workspace.',
  inputSchema: Type.Object({ path: Type.String() }),
  async run({ path }) {
    try {
      return [`This is ${path}:`, await image(path)]
    } catch (cause) {
      return failure(`${path} cannot be shown. Name a picture of the workspace.`, { cause })
    }
  },
})

const drawBars = defineTool({
  name: 'draw_bars',
  summary: 'Draw numbers as bars.',
  inputSchema: Type.Object({ numbers: Type.Array(Type.Number({ minimum: 0, maximum: 100 })) }),
  async run({ numbers }) {
    const bars = numbers.map(
      (n, index) => `<rect x="${index * 12}" y="${100 - n}" width="10" height="${n}"/>`,
    )
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${numbers.length * 12}" height="100">${bars.join('')}</svg>`
    return image(new TextEncoder().encode(svg), { mimeType: 'image/svg+xml' })
  },
})

const playTone = defineTool({
  name: 'play_tone',
  summary: 'Make a tone of a tenth of a second.',
  inputSchema: Type.Object({ hertz: Type.Number({ minimum: 50, maximum: 3000 }) }),
  async run({ hertz }) {
    const rate = 8000
    const samples = Uint8Array.from({ length: rate / 10 }, (_, index) =>
      Math.round(128 + 100 * Math.sin((2 * Math.PI * hertz * index) / rate)),
    )
    const header = Buffer.alloc(44)
    header.write('RIFF', 0)
    header.writeUInt32LE(36 + samples.length, 4)
    header.write('WAVEfmt ', 8)
    header.writeUInt32LE(16, 16)
    for (const [offset, value] of [
      [20, 1],
      [22, 1],
      [32, 1],
      [34, 8],
    ] as const)
      header.writeUInt16LE(value, offset)
    header.writeUInt32LE(rate, 24)
    header.writeUInt32LE(rate, 28)
    header.write('data', 36)
    header.writeUInt32LE(samples.length, 40)
    return audio(Buffer.concat([header, samples]))
  },
})

await runTools([showPicture, drawBars, playTone])
