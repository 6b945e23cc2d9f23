import { Conversation, type Message } from '@toolblocks/react'
import '@toolblocks/react/style.css'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { type ReactElement, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import './page.css'

const readers = await loadContentReaders()
const toCenter = (asking: Element) => asking.scrollIntoView({ block: 'center' })
const showAsking = () => document.querySelectorAll('.tb-actions').forEach(toCenter)

async function post(path: string, sent: object) {
  const response = await fetch(path, { method: 'POST', body: JSON.stringify(sent) })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return await response.json()
}

function Chat(): ReactElement {
  const [messages, setMessages] = useState<Message[]>([])
  const [error, setError] = useState('')
  useEffect(() => {
    const events = new EventSource('/messages')
    events.addEventListener('message', ({ data }) => setMessages(JSON.parse(data)))
    return () => events.close()
  }, [])
  // What waits for a decision is in the window, also when a picture above it has loaded.
  useEffect(showAsking, [messages])
  return (
    <div onLoadCapture={showAsking}>
      <h1>Harbour</h1>
      <Conversation
        messages={messages}
        readers={readers}
        onApproval={async (response) => await post('/reply', response)}
        onAnswer={async (id, answer) => await post('/reply', { id, ...answer })}
      />
      {error && <p role="alert">{error} Start it again.</p>}
      <form
        className="tb chat"
        action={(form) => {
          const text = form.get('text')
          if (typeof text === 'string' && text.trim() !== '')
            post('/say', { text }).then(setError, () => setError('The server does not answer.'))
        }}
      >
        <input name="text" aria-label="Message" placeholder="Ask about the berths" />
        <button>Send</button>
      </form>
    </div>
  )
}

createRoot(document.getElementById('page') ?? document.body).render(<Chat />)
