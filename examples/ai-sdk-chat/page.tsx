import { useChat } from '@ai-sdk/react'
import { Conversation } from '@toolblocks/react'
import '@toolblocks/react/style.css'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { type ReactElement, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import './page.css'

const readers = await loadContentReaders()
const toCenter = (asking: Element) => asking.scrollIntoView({ block: 'center' })
const transport = new DefaultChatTransport({ api: '/chat' })

async function sendAnswer(sent: { conversation: string; id: string; answer: object }) {
  const response = await fetch('/answer', { method: 'POST', body: JSON.stringify(sent) })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return await response.json()
}

function Chat(): ReactElement {
  const [text, setText] = useState('')
  const {
    id: conversation,
    messages,
    sendMessage,
    addToolApprovalResponse,
    status,
    error,
  } = useChat({
    transport,
    // A request continues the turn when the person has decided about every call.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  // What waits for a decision is in the window.
  useEffect(() => document.querySelectorAll('.tb-actions').forEach(toCenter), [messages])
  return (
    <>
      <h1>Harbour</h1>
      <Conversation
        conversation={conversation}
        messages={messages}
        readers={readers}
        onApproval={addToolApprovalResponse}
        onAnswer={async (id, answer) => await sendAnswer({ conversation, id, answer })}
      />
      {error && <p role="alert">{error.message}</p>}
      <form
        className="tb chat"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') void sendMessage({ text })
          setText('')
        }}
      >
        <input
          aria-label="Message"
          placeholder="Ask about the berths"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button disabled={status !== 'ready'}>Send</button>
      </form>
    </>
  )
}

const page = document.getElementById('page')
if (page) createRoot(page).render(<Chat />)
