import { useChat } from '@ai-sdk/react'
import type { ToolblocksUIMessage } from '@toolblocks/ai-sdk'
import { Conversation } from '@toolblocks/react'
import '@toolblocks/react/style.css'
import { loadContentReaders } from '@toolblocks/renderer/readers'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { type ReactElement, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import './page.css'

const readers = await loadContentReaders()
const toCenter = (asking: Element) => asking.scrollIntoView({ block: 'center' })
const showAsking = () => document.querySelectorAll('.tb-actions').forEach(toCenter)

async function sendAnswer(sent: { conversation: string; id: string; answer: object }) {
  const response = await fetch('/answer', { method: 'POST', body: JSON.stringify(sent) })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return await response.json()
}

function Chat(): ReactElement {
  const chat = useChat({
    transport: new DefaultChatTransport<ToolblocksUIMessage>({ api: '/chat' }),
    // A request continues the turn when the person has decided about every call.
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const parts = chat.messages.at(-1)?.parts ?? []
  const isRunning = chat.status === 'submitted' || chat.status === 'streaming'
  const isUndecided = parts.some((part) => 'state' in part && part.state === 'approval-requested')
  const isAsked = parts.some((part) => part.type === 'data-question' && part.data.state === 'open')
  // What waits for a decision is in the window, also when a picture above it has loaded.
  useEffect(showAsking, [chat.messages])
  return (
    <div onLoadCapture={showAsking}>
      <h1>Harbour</h1>
      <Conversation
        conversation={chat.id}
        messages={chat.messages}
        readers={readers}
        onApproval={chat.addToolApprovalResponse}
        onAnswer={async (id, answer) => await sendAnswer({ conversation: chat.id, id, answer })}
      />
      {chat.error && <p role="alert">{chat.error.message}</p>}
      <form
        className="tb chat"
        action={(form) => {
          const text = form.get('text')
          if (typeof text === 'string' && text.trim() !== '') void chat.sendMessage({ text })
        }}
      >
        <input name="text" aria-label="Message" placeholder="Ask about the berths" />
        <button disabled={isRunning || isUndecided}>Send</button>
        <small role="status">
          {isUndecided && 'Decide about the call above first.'}
          {isRunning && (isAsked ? 'Answer the question above first.' : 'Waiting for the model …')}
        </small>
      </form>
    </div>
  )
}

const page = document.getElementById('page')
if (page) createRoot(page).render(<Chat />)
