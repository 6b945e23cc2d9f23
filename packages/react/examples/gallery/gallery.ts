import type { ComponentType } from 'react'
import { AllowedCall } from './allowed-call.tsx'
import { AnswerAsJson } from './answer-as-json.tsx'
import { ApprovalWithMaterial } from './approval-with-material.tsx'
import { Approval } from './approval.tsx'
import { ArgumentsThatArrive } from './arguments-that-arrive.tsx'
import { BlockOfTheHost } from './block-of-the-host.tsx'
import { CallThatNeedsApproval } from './call-that-needs-approval.tsx'
import { CallWithProgress } from './call-with-progress.tsx'
import { Code } from './code.tsx'
import { ConversationOfEveryPart } from './conversation-of-every-part.tsx'
import { DarkAndLight } from './dark-and-light.tsx'
import { DeniedCall } from './denied-call.tsx'
import { Diff } from './diff.tsx'
import { DynamicCall } from './dynamic-call.tsx'
import { FailedCall } from './failed-call.tsx'
import { FailedResult } from './failed-result.tsx'
import { FileList } from './file-list.tsx'
import { FinishedCall } from './finished-call.tsx'
import { FoldedAndTallValues } from './folded-and-tall-values.tsx'
import { FormWithEveryField } from './form-with-every-field.tsx'
import { GrowingResult } from './growing-result.tsx'
import { KindOfTheHost } from './kind-of-the-host.tsx'
import { Markdown } from './markdown.tsx'
import { PartOfTheHost } from './part-of-the-host.tsx'
import { PictureWithAName } from './picture-with-a-name.tsx'
import { PicturesAndSounds } from './pictures-and-sounds.tsx'
import { PreferredViews } from './preferred-views.tsx'
import { ProblemsOfTheServer } from './problems-of-the-server.tsx'
import { QuestionInAResult } from './question-in-a-result.tsx'
import { QuestionWithChoices } from './question-with-choices.tsx'
import { QuestionWithContext } from './question-with-context.tsx'
import { QuestionsForOneValue } from './questions-for-one-value.tsx'
import { ResourcesAndLinks } from './resources-and-links.tsx'
import { RunningCall } from './running-call.tsx'
import { Secret } from './secret.tsx'
import { SettledQuestions } from './settled-questions.tsx'
import { Table } from './table.tsx'
import { TextBlocks } from './text-blocks.tsx'
import { ThemeOfTheHost } from './theme-of-the-host.tsx'
import { Tree } from './tree.tsx'

/** One example: the file `NAME.tsx`, and the component that it exports. */
export interface GalleryExample {
  /** The name of its file. It is also its anchor in a page. */
  name: string
  title: string
  /** What to see in it, and what to try. */
  text: string
  Example: ComponentType
  /** The name of its stylesheet, if it has one. */
  style?: string
}

/** The examples of one component. */
export interface GalleryPart {
  /** Its anchor in a page. */
  name: string
  title: string
  text: string
  examples: readonly GalleryExample[]
}

/** Every component of the package, with an example for each of its uses. */
export const GALLERY: readonly GalleryPart[] = [
  {
    name: 'tool-result',
    title: 'ToolResult',
    text: 'Shows the result of a call: its content blocks, then its structured content.',
    examples: [
      {
        name: 'text-blocks',
        title: 'Text',
        text: 'Markup and control sequences of a tool have no effect.',
        Example: TextBlocks,
      },
      {
        name: 'pictures-and-sounds',
        title: 'Pictures and sounds',
        text: 'Only bytes inside the result are shown. Nothing is fetched.',
        Example: PicturesAndSounds,
      },
      {
        name: 'resources-and-links',
        title: 'Resources and links',
        text: 'Text is shown, bytes can be saved, and an address is a link.',
        Example: ResourcesAndLinks,
      },
      {
        name: 'question-in-a-result',
        title: 'A question in a result',
        text: 'A stored result may contain a question. QuestionForm is the form for its answer.',
        Example: QuestionInAResult,
      },
      {
        name: 'diff',
        title: 'Diff',
        text: 'The changed words are marked. Try the button for the other layout.',
        Example: Diff,
      },
      {
        name: 'table',
        title: 'Table',
        text: 'Press the head of a column to sort the rows, or type into the filter.',
        Example: Table,
      },
      {
        name: 'tree',
        title: 'Tree',
        text: 'Any JSON value. Its branches open and close.',
        Example: Tree,
      },
      {
        name: 'file-list',
        title: 'List of files',
        text: 'The entries of a directory, with sizes and dates.',
        Example: FileList,
      },
      {
        name: 'markdown',
        title: 'Markdown',
        text: 'The readers of the renderer parse it. HTML in it is text.',
        Example: Markdown,
      },
      {
        name: 'code',
        title: 'Code',
        text: 'The content of a file, highlighted by its name.',
        Example: Code,
      },
      {
        name: 'picture-with-a-name',
        title: 'Picture with a description',
        text: 'A value of the kind image has a text for people who cannot see it.',
        Example: PictureWithAName,
      },
      {
        name: 'folded-and-tall-values',
        title: 'Folded, tall, cut and hidden values',
        text: 'A tool asks to fold or hide a value, or to limit its height. A host limits the lines of a block, and may show what is hidden.',
        Example: FoldedAndTallValues,
      },
      {
        name: 'preferred-views',
        title: 'Preferred views',
        text: 'For a kind that has no renderer, the tool chooses the view.',
        Example: PreferredViews,
      },
      {
        name: 'failed-result',
        title: 'Error',
        text: 'The failure comes first, its causes and the output on standard error last.',
        Example: FailedResult,
      },
      {
        name: 'growing-result',
        title: 'Growing result',
        text: 'A result that arrives in pieces is rendered again with each piece.',
        Example: GrowingResult,
      },
      {
        name: 'kind-of-the-host',
        title: 'A kind of your own',
        text: 'A host shows its own kinds with a component, or with parts that a terminal shows too.',
        Example: KindOfTheHost,
      },
      {
        name: 'block-of-the-host',
        title: 'A block of your own',
        text: 'A component takes the place of a type of block.',
        Example: BlockOfTheHost,
      },
    ],
  },
  {
    name: 'tool-part',
    title: 'ToolPart',
    text: 'Shows one call in a message, in each of its states.',
    examples: [
      {
        name: 'arguments-that-arrive',
        title: 'Arguments arrive',
        text: 'The height stays the same while a model writes the arguments.',
        Example: ArgumentsThatArrive,
      },
      {
        name: 'running-call',
        title: 'Running',
        text: 'The arguments are complete, in one line that opens.',
        Example: RunningCall,
      },
      {
        name: 'call-with-progress',
        title: 'Running, with progress',
        text: 'A preliminary result is shown until the final one replaces it.',
        Example: CallWithProgress,
      },
      {
        name: 'call-that-needs-approval',
        title: 'Approval requested',
        text: 'Allow or deny the call.',
        Example: CallThatNeedsApproval,
      },
      {
        name: 'allowed-call',
        title: 'Approval responded',
        text: 'A person has allowed the call.',
        Example: AllowedCall,
      },
      {
        name: 'finished-call',
        title: 'Done',
        text: 'The output is a result, or a value of another tool.',
        Example: FinishedCall,
      },
      {
        name: 'failed-call',
        title: 'Failed',
        text: 'The tool threw an error.',
        Example: FailedCall,
      },
      {
        name: 'denied-call',
        title: 'Denied',
        text: 'The call did not run. The model reads the reason.',
        Example: DeniedCall,
      },
      {
        name: 'dynamic-call',
        title: 'Dynamic tool',
        text: 'The part names its tool.',
        Example: DynamicCall,
      },
    ],
  },
  {
    name: 'question-form',
    title: 'QuestionForm',
    text: 'Asks the question of a tool, for every JSON Schema. Fill the forms in: the answer appears below each.',
    examples: [
      {
        name: 'question-with-choices',
        title: 'One of several values',
        text: 'Up to 20 values are shown below each other.',
        Example: QuestionWithChoices,
      },
      {
        name: 'form-with-every-field',
        title: 'Every kind of field',
        text: 'Texts, numbers, yes or no, choices, lists, optional fields and defaults. An invalid field says what it expects.',
        Example: FormWithEveryField,
      },
      {
        name: 'questions-for-one-value',
        title: 'One value',
        text: 'Yes or no, a text with a default, and a number.',
        Example: QuestionsForOneValue,
      },
      {
        name: 'secret',
        title: 'Secrets and drafts',
        text: 'A secret is masked. Reload the page: the user is still typed, the password is not.',
        Example: Secret,
      },
      {
        name: 'answer-as-json',
        title: 'JSON',
        text: 'Every schema can be answered.',
        Example: AnswerAsJson,
      },
      {
        name: 'problems-of-the-server',
        title: 'Problems of an answer',
        text: 'Send a short name to see a problem of the form, and Ada to see a problem of the server.',
        Example: ProblemsOfTheServer,
      },
      {
        name: 'question-with-context',
        title: 'Context and address',
        text: 'What the tool showed before and after its question, and the page at which it is answered.',
        Example: QuestionWithContext,
      },
      {
        name: 'settled-questions',
        title: 'Settled questions',
        text: 'In a conversation, a question that is answered or declined is one line.',
        Example: SettledQuestions,
      },
    ],
  },
  {
    name: 'approval-card',
    title: 'ApprovalCard',
    text: 'Asks whether a call may run. Every argument is shown completely.',
    examples: [
      {
        name: 'approval',
        title: 'A call',
        text: 'Enter in the reason denies the call.',
        Example: Approval,
      },
      {
        name: 'approval-with-material',
        title: 'A reason and what the tool shows',
        text: 'The first attempt to send the decision fails here, and the card says so.',
        Example: ApprovalWithMaterial,
      },
    ],
  },
  {
    name: 'conversation',
    title: 'Conversation',
    text: 'Shows messages with all their parts, for example those of useChat.',
    examples: [
      {
        name: 'conversation-of-every-part',
        title: 'Every part of a message',
        text: 'Text, reasoning, files, sources, calls and questions.',
        Example: ConversationOfEveryPart,
      },
      {
        name: 'part-of-the-host',
        title: 'A part of your own',
        text: 'A component shows a type of part.',
        Example: PartOfTheHost,
      },
    ],
  },
  {
    name: 'themes',
    title: 'Themes',
    text: 'The colours, fonts and corners are CSS variables.',
    examples: [
      {
        name: 'dark-and-light',
        title: 'Dark and light',
        text: 'By a class, by data-theme, or by the color-scheme of the page.',
        Example: DarkAndLight,
      },
      {
        name: 'theme-of-the-host',
        title: 'A theme of your own',
        text: 'Set the variables on any element.',
        Example: ThemeOfTheHost,
        style: 'theme-of-the-host',
      },
    ],
  },
]
