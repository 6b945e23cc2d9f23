import { expect, test } from 'vitest'
import { parseToolOutput } from '../parse-tool-output.ts'

const ONE_LINE = '{"content":[{"type":"text","text":"a"}],"structuredContent":{"a":"}\\""}}'
const VALUE_FIRST = '{"structuredContent":{"a":1},"content":[]}'
const SEVERAL_LINES = JSON.stringify(JSON.parse(ONE_LINE), undefined, 2)
const CLOSED_AT_ITS_END = '{"content": [\n  {"type": "text", "text": "a"}\n]}'
const WITHOUT_INDENT = '{\n"content": [\n{"type": "text", "text": "a"}\n]\n}'

const DOCUMENTS = [ONE_LINE, VALUE_FIRST, SEVERAL_LINES, CLOSED_AT_ITS_END, WITHOUT_INDENT]

test.for(DOCUMENTS)('a document between lines of logs gives a warning: %s', (document) => {
  for (const output of [
    `starting up...\n${document}\ndone\n`,
    `starting up...\n${document}\n`,
    `${document}\ndone\n`,
    `{debug} starting\n${document}\ndone`,
    `[info] starting\n${document}\n[info] done`,
    `{"level":"info"}\n{"level":"warn"}\n${document}\n{"level":"info"}\n`,
    `{ is not closed\nstarting\n${document}\ndone`,
    `starting\r\n${document.replaceAll('\n', '\r\n')} \r\ndone\r\n`,
  ]) {
    const { result, warnings, format } = parseToolOutput(output)
    expect([output, format, result.content]).toEqual([
      output,
      'raw',
      [{ type: 'text', text: output }],
    ])
    expect([output, warnings.map(({ code }) => code)]).toEqual([output, ['text-around-json']])
  }
})

test.for([
  'Print {"content":[{"type":"text","text":"a"}]} to stdout.',
  'A tool prints\n{"content":[…]} with its blocks.\n',
  'For example:\n\n```json\n{"content":[{"type":"text","text":"a"}]}\n```\n\nand ends.',
  'For example:\n\n    {"content":[{"type":"text","text":"a"}]}\n\nand ends.',
  'starting\n{"message":{"content":[]}}\ndone',
  'starting\n{"content":"text"}\ndone',
  'starting\n{"content":[}\ndone',
  'starting\n"{\n\\"content\\":[]\n}"\ndone',
  '[\n{"content":[]},\n{"content":[]}\n]\n',
  'x\n{"content":[{"type":"text","text":"a"}]}\n{"content":[{"type":"text","text":"b"}]}\ny',
  'x\n{"role":"user","content":[{"type":"text","text":"a"}]}\ny',
  'x\n{"level":"info","content":["a"]}\ny',
  'HTTP/1.1 200 OK\n\n{"content":[{"id":1}]}\n200',
  'HTTP/1.1 200 OK\n\n{"id":"msg","content":[{"type":"text","text":"a"}]}\n200',
  '~~~\n{"content":[{"type":"text","text":"a"}]}\n~~~\nend',
  'a\n  ````json\n{"content":[{"type":"text","text":"a"}]}\n  ````\nend',
  "{'content': [1, 2], 'x': 3}",
])('text that is not a document between logs has no warning: %s', (output) => {
  expect(parseToolOutput(output).warnings).toEqual([])
})

test.for([
  '{"content":[',
  '{"content":[}',
  '{"content":[}]}',
  '{"content":[{',
  '{"',
  '{"content":["\\',
])('16 MiB of lines %s are read in linear time', { timeout: 20_000 }, (line) => {
  const lines = `${line}\n`.repeat(Math.floor((2 ** 24 - 40) / (line.length + 1)))
  const { warnings } = parseToolOutput(`starting\n"content":[\n${lines}\ndone`)
  expect(warnings).toEqual(expect.any(Array))
})
