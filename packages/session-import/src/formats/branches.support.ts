/** A conversation that a person changed once, in the form of a program that can go back. */
export interface BranchSample {
  title: string
  path: string
  /** The content of the file: "Name a lamp.", "The north lamp.", "Light it.", then back to the first message, "The south lamp.", "Thanks." */
  text: string
  /** The same file before the person went back. */
  before: string
}

const getTime = (second: number): string =>
  `2026-02-03T04:05:${String(second).padStart(2, '0')}.000Z`
const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

interface Message {
  id: string
  parent: string | null
  by: 'user' | 'assistant'
  text: string
  second: number
}

export const TREE: readonly Message[] = [
  { id: 'a1', parent: null, by: 'user', text: 'Name a lamp.', second: 1 },
  { id: 'a2', parent: 'a1', by: 'assistant', text: 'The north lamp.', second: 2 },
  { id: 'a3', parent: 'a2', by: 'user', text: 'Light it.', second: 3 },
  { id: 'b1', parent: 'a1', by: 'assistant', text: 'The south lamp.', second: 4 },
  { id: 'b2', parent: 'b1', by: 'user', text: 'Thanks.', second: 5 },
]
const EARLIER = TREE.slice(0, 3)

export const pi = (messages: readonly Message[]): string =>
  lines([
    { type: 'session', version: 3, id: 's', timestamp: getTime(0), cwd: '/x' },
    ...messages.map(({ id, parent, by, text, second }) => ({
      type: 'message',
      id,
      parentId: parent,
      timestamp: getTime(second),
      message: { role: by, content: [{ type: 'text', text }], timestamp: second },
    })),
  ])

export const claude = (messages: readonly Message[], more: readonly object[] = []): string =>
  lines([
    ...messages.map(({ id, parent, by, text, second }) => ({
      parentUuid: parent,
      isSidechain: false,
      sessionId: 's',
      uuid: id,
      timestamp: getTime(second),
      type: by,
      message: { role: by, content: [{ type: 'text', text }], id: `m-${id}` },
    })),
    ...more,
  ])

const qwen = (messages: readonly Message[]): string =>
  lines(
    messages.map(({ id, parent, by, text, second }) => ({
      uuid: id,
      parentUuid: parent,
      sessionId: 's',
      timestamp: getTime(second),
      type: by,
      cwd: '/x',
      version: '1.0.0',
      message: { role: by === 'user' ? 'user' : 'model', parts: [{ text }] },
    })),
  )

const gemini = (messages: readonly Message[]): string =>
  lines([
    { sessionId: 's', projectHash: 'h', startTime: getTime(0), kind: 'main' },
    ...messages.flatMap(({ id, by, text, second }) => [
      ...(id === 'b1' ? [{ $rewindTo: 'a2' }] : []),
      {
        id,
        timestamp: getTime(second),
        type: by === 'user' ? 'user' : 'gemini',
        content: [{ text }],
      },
    ]),
  ])

const copilot = (messages: readonly Message[]): string =>
  lines([
    {
      type: 'session.start',
      id: 'e0',
      parentId: null,
      timestamp: getTime(0),
      data: { sessionId: 's' },
    },
    ...messages.map(({ id, parent, by, text, second }) => ({
      type: `${by}.message`,
      id,
      parentId: parent ?? 'e0',
      timestamp: getTime(second),
      data: { content: text },
    })),
  ])

const chatgpt = (messages: readonly Message[]): string =>
  JSON.stringify({
    title: 'Lamps',
    conversation_id: 's',
    create_time: 1,
    current_node: messages.at(-1)?.id,
    mapping: Object.fromEntries([
      ['root', { id: 'root', message: null, parent: null, children: ['a1'] }],
      ...messages.map(({ id, parent, by, text, second }) => [
        id,
        {
          id,
          parent: parent ?? 'root',
          children: [],
          message: {
            id,
            author: { role: by },
            create_time: 1_770_000_000 + second,
            content: { content_type: 'text', parts: [text] },
          },
        },
      ]),
    ]),
  })

const claudeAi = (messages: readonly Message[]): string =>
  JSON.stringify({
    uuid: 's',
    name: 'Lamps',
    created_at: getTime(0),
    current_leaf_message_uuid: messages.at(-1)?.id,
    chat_messages: messages.map(({ id, parent, by, text, second }) => ({
      uuid: id,
      parent_message_uuid: parent ?? '00000000-0000-4000-8000-000000000000',
      sender: by === 'user' ? 'human' : 'assistant',
      text,
      created_at: getTime(second),
    })),
  })

/** Codex goes back by turns of the person, so the first turn is said again. */
const codexItem = (by: string, text: string, second: number): object => ({
  timestamp: getTime(second),
  type: 'response_item',
  payload: {
    type: 'message',
    role: by,
    content: [{ type: by === 'user' ? 'input_text' : 'output_text', text }],
  },
})
const codexStart = [
  { timestamp: getTime(0), type: 'session_meta', payload: { id: 's', cwd: '/x' } },
  codexItem('user', '<environment_context>x</environment_context>', 0),
  codexItem('user', 'Name a lamp.', 1),
  codexItem('assistant', 'The north lamp.', 2),
  codexItem('user', 'Light it.', 3),
]
const codexBack = [
  {
    timestamp: getTime(4),
    type: 'event_msg',
    payload: { type: 'thread_rolled_back', num_turns: 2 },
  },
  codexItem('user', 'Name a lamp.', 4),
  codexItem('assistant', 'The south lamp.', 4),
  codexItem('user', 'Thanks.', 5),
]

export const BRANCHES: readonly BranchSample[] = [
  { title: 'pi', path: '/x/s.jsonl', text: pi(TREE), before: pi(EARLIER) },
  { title: 'Claude Code', path: '/x/s.jsonl', text: claude(TREE), before: claude(EARLIER) },
  { title: 'Qwen Code', path: '/x/s.jsonl', text: qwen(TREE), before: qwen(EARLIER) },
  { title: 'Gemini CLI', path: '/x/s.jsonl', text: gemini(TREE), before: gemini(EARLIER) },
  { title: 'Copilot CLI', path: '/x/s.jsonl', text: copilot(TREE), before: copilot(EARLIER) },
  { title: 'ChatGPT', path: '/x/c.json', text: chatgpt(TREE), before: chatgpt(EARLIER) },
  { title: 'claude.ai', path: '/x/c.json', text: claudeAi(TREE), before: claudeAi(EARLIER) },
  {
    title: 'Codex',
    path: '/x/rollout.jsonl',
    text: lines([...codexStart, ...codexBack]),
    before: lines(codexStart),
  },
]

/** The exports that say where their conversation continues, at an earlier message. */
export const LEAVES: readonly { title: string; path: string; text: string }[] = [
  {
    title: 'ChatGPT',
    path: '/x/c.json',
    text: chatgpt(TREE).replace('"current_node":"b2"', '"current_node":"a3"'),
  },
  {
    title: 'claude.ai',
    path: '/x/c.json',
    text: claudeAi(TREE).replace(
      '"current_leaf_message_uuid":"b2"',
      '"current_leaf_message_uuid":"a3"',
    ),
  },
]
