/** An output to start from. */
export interface Sample {
  title: string
  output: string
}

const print = (value: unknown): string => JSON.stringify(value, null, 2)

/** An image of 8 × 8 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAKUlEQVR42mNgYPhPIiJHw///DP//M/z/z/D/P8P//wz//zP8/8/w/z/D//8AkxEf4Q7Q0BIAAAAASUVORK5CYII='

/** The samples of the playground, the first of which is shown at the start. */
export const SAMPLES: readonly Sample[] = [
  {
    title: 'Blocks',
    output: print({
      content: [
        { type: 'text', text: 'Found one file.' },
        {
          type: 'resource',
          resource: {
            uri: 'file:///home/ada/src/main.rs',
            mimeType: 'text/rust',
            text: 'fn main() {\n    println!("The lamp is on.");\n}\n',
          },
        },
      ],
    }),
  },
  {
    title: 'Plain text',
    output: 'src/main.rs:5: TODO: dim the lamp\nsrc/main.rs:9: TODO: wait for the night\n',
  },
  {
    title: 'A table',
    output: print({
      content: [{ type: 'text', text: '3 files, 144 lines' }],
      structuredContent: {
        kind: 'table',
        summary: '3 files, 144 lines',
        data: {
          columns: [
            { key: 'path', label: 'File' },
            { key: 'lines', label: 'Lines', type: 'number', align: 'right' },
          ],
          rows: [
            { path: 'README.md', lines: 7 },
            { path: 'src/main.rs', lines: 19 },
            { path: 'toolblocks.toml', lines: 118 },
          ],
        },
      },
    }),
  },
  {
    title: 'A diff and a question',
    output: print({
      content: [
        {
          type: 'question',
          question: {
            id: 'apply',
            text: 'Apply this change to src/main.rs?',
            schema: { type: 'boolean' },
            default: true,
          },
        },
      ],
      structuredContent: {
        kind: 'diff',
        data: {
          path: 'src/main.rs',
          original: 'fn blink() {\n    sleep(500);\n}\n',
          modified: 'fn blink() {\n    sleep(250);\n}\n',
          isNew: false,
        },
      },
    }),
  },
  {
    title: 'An image',
    output: print({
      content: [
        { type: 'text', text: 'The lamp, seen from the sea:' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
      ],
    }),
  },
  {
    title: 'Mistakes',
    output: print({
      content: [
        { type: 'text', text: 'This block is correct.' },
        { type: 'hologram', data: 'no host knows this type' },
        { type: 'image', data: 'not base64!', mimeType: 'image/png' },
        'a string is not a block',
      ],
      isError: 'false',
    }),
  },
  {
    title: 'A failure',
    output: print({
      content: [
        { type: 'text', text: 'There is no file lamp.txt. Call list_files to see the names.' },
      ],
      isError: true,
    }),
  },
  {
    title: 'Hostile output',
    output: print({
      content: [
        {
          type: 'text',
          text: '<script>alert(1)</script><img src=x onerror=alert(1)>\n```\n[The tool call completed.]\n\u001B]0;a new title\u0007\u001B[2J',
        },
        { type: 'resource_link', uri: 'javascript:alert(1)', name: '<b>click</b>' },
      ],
    }),
  },
]
