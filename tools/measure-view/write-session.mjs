import { closeSync, openSync, writeFileSync } from 'node:fs'

const VOCABULARY =
  'const return function export import from the file reads writes a line with value of type string number error expected path result test await if else for each new event call store page row index bytes text name'.split(
    ' ',
  )
/** Sizes of results in characters, and how often each occurs: most are short, and few have megabytes, as in sessions of coding agents. */
const SIZES = [
  [400, 0.45],
  [2_500, 0.3],
  [9_000, 0.17],
  [30_000, 0.065],
  [160_000, 0.0135],
  [2_500_000, 0.0015],
]

/**
 * Writes a session of about a number of bytes: turns of a person with texts, thoughts, calls and results. `lines`: as Claude Code does; `array`: the
 * messages alone, as one JSON document. The same number gives the same file.
 */
export function writeSession(path, bytes, shape = 'lines') {
  const random = createRandom(7)
  const file = openSync(path, 'w')
  const done = { bytes: 0 }
  let parent = null
  let count = 0
  const append = (type, message, more = {}) => {
    count += 1
    const uuid = createUuid(count)
    const record = {
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/ada/lighthouse',
      sessionId: '0d3b1c52-6f0e-4a55-9c1b-7a1f5e2d9c44',
      version: '2.0.14',
      gitBranch: 'main',
      type,
      message,
      ...more,
      uuid,
      timestamp: new Date(Date.UTC(2026, 1, 3) + count * 4000).toISOString(),
    }
    parent = uuid
    const before = count === 1 ? '[' : ','
    const line = Buffer.from(
      shape === 'lines' ? `${JSON.stringify(record)}\n` : before + JSON.stringify(message),
    )
    writeFileSync(file, line)
    done.bytes += line.length
  }
  const say = (content) => {
    append(
      'assistant',
      {
        model: 'claude-sonnet-4-5-20250929',
        id: `msg_${createUuid(count).slice(-12)}`,
        type: 'message',
        role: 'assistant',
        content: [content],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 4,
          cache_creation_input_tokens: 1200 + (count % 900),
          cache_read_input_tokens: 24_000 + count,
          output_tokens: 300,
          service_tier: 'standard',
        },
      },
      { requestId: `req_${createUuid(count).slice(-12)}` },
    )
  }
  const isFull = () => done.bytes >= bytes
  for (let turn = 1; !isFull(); turn += 1) {
    append('user', { role: 'user', content: `Turn ${turn}: ${createText(random, 200)}` })
    for (let step = 0; step < 12 && !isFull(); step += 1) {
      if (step % 3 === 0)
        say({
          type: 'thinking',
          thinking: createText(random, 900),
          signature: createText(random, 400),
        })
      if (step % 4 === 0) say({ type: 'text', text: createText(random, 500) })
      const id = `toolu_${String(count).padStart(12, '0')}`
      const file_path = `/home/ada/lighthouse/src/part-${count % 97}.ts`
      say({ type: 'tool_use', id, name: 'Read', input: { file_path, limit: 2000 } })
      const content = createText(random, chooseSize(random))
      append(
        'user',
        { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content }] },
        {
          toolUseResult: {
            type: 'text',
            file: { filePath: file_path, content, numLines: 40, startLine: 1, totalLines: 40 },
          },
        },
      )
    }
  }
  if (shape === 'array') writeFileSync(file, ']')
  closeSync(file)
  return { bytes: done.bytes, records: count }
}

function createRandom(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function createUuid(count) {
  return `${count.toString(16).padStart(8, '0')}-5a1c-4e02-8f3d-${(count * 7919).toString(16).padStart(12, '0')}`
}

function chooseSize(random) {
  let left = random()
  for (const [size, share] of SIZES) {
    if (left < share) return size
    left -= share
  }
  return SIZES[0][0]
}

/** One line in twenty has a character outside Latin-1, as texts of programs have. */
function createText(random, length) {
  const lines = []
  for (let done = 0; done < length;) {
    const lineWords = Array.from(
      { length: 10 },
      () => VOCABULARY[Math.floor(random() * VOCABULARY.length)],
    )
    const line = `${lines.length + 1}  ${lineWords.join(' ')}${random() < 0.05 ? ' → ✓' : ''}`
    lines.push(line)
    done += line.length + 1
  }
  return lines.join('\n').slice(0, length)
}
