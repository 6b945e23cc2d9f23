import { type Receiver, readOutput } from './read-output.ts'
import { SAMPLES } from './samples.ts'

/** Connects the elements of the playground: each change of the input shows all forms again. */
export function startPlayground(): void {
  const input = findElement('output', HTMLTextAreaElement)
  const receiver = findElement('receiver', HTMLSelectElement)
  const samples = findElement('sample', HTMLSelectElement)
  const frame = findElement('page', HTMLIFrameElement)
  const warnings = findElement('warnings', HTMLUListElement)
  let latest = 0

  const show = async (): Promise<void> => {
    const turn = ++latest
    const read = await readOutput(input.value, toReceiver(receiver.value), getTheme())
    // A later input may have been read first.
    if (turn !== latest) return
    const count = read.warnings.length
    setText(
      'status',
      `Read as ${read.format}, with ${count === 1 ? '1 warning' : `${count} warnings`}.`,
    )
    warnings.replaceChildren(...read.warnings.map(toItem))
    setText('parsed', read.parsed)
    setText('received', read.received)
    setText('terminal', read.terminal)
    if (frame.srcdoc !== read.page) frame.srcdoc = read.page
  }
  const choose = (): void => {
    input.value = SAMPLES[Number(samples.value)]?.output ?? ''
    void show()
  }

  samples.addEventListener('change', choose)
  receiver.addEventListener('change', () => void show())
  input.addEventListener('input', () => void show())
  new MutationObserver(() => void show()).observe(document.documentElement, {
    attributeFilter: ['data-theme'],
  })
  // A browser keeps what was typed when a page is loaded again.
  if (input.value === '') choose()
  else void show()
}

const RECEIVERS: readonly Receiver[] = [
  'text',
  'anthropic',
  'openai-responses',
  'openai-chat',
  'google',
  'ai-sdk',
]

function toReceiver(value: string): Receiver {
  return RECEIVERS.find((each) => each === value) ?? 'text'
}

function getTheme(): 'dark' | 'light' {
  return document.documentElement.dataset['theme'] === 'light' ? 'light' : 'dark'
}

function toItem(text: string): HTMLLIElement {
  const item = document.createElement('li')
  item.textContent = text
  return item
}

/** Only `textContent` is set: nothing that is pasted becomes an element of this page. */
function setText(id: string, text: string): void {
  findElement(id, HTMLElement).textContent = text
}

function findElement<Kind extends HTMLElement>(id: string, kind: abstract new () => Kind): Kind {
  const element = document.getElementById(id)
  if (element instanceof kind) return element
  throw new Error(`The page has no element "${id}" of the expected type.`)
}
