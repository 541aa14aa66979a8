import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { StreamLanguage } from '@codemirror/language';
import { type CedarState, cedarToken } from '../../cedar/cedar-tokens';
import { cedarPlace, cedarWords } from '../../cedar/cedar-words';
import { CodeEditor, type EditorProps } from './CodeEditor';

/** Finds the names of entities of a type, such as the tools, that begin with or contain the typed text. */
type FindNames = (type: string, typed: string) => Promise<readonly string[]>;

interface CedarEditorProps extends EditorProps {
  findNames: FindNames;
  isReadOnly: boolean;
}

const LANGUAGE = StreamLanguage.define<CedarState>({
  name: 'cedar',
  startState: () => ({ isInText: false, depth: 0 }),
  copyState: (state) => ({ ...state }),
  token: cedarToken,
  indent: ({ depth }, after, { unit }) => Math.max(0, /^\s*[)\]}]/.test(after) ? depth - 1 : depth) * unit,
  languageData: {
    commentTokens: { line: '//' },
    closeBrackets: { brackets: ['(', '[', '{', '"'] },
    indentOnInput: /^\s*[)\]}]$/,
  },
});

/** Editor for a policy in the Cedar language. */
export default function CedarEditor({ findNames, ...props }: CedarEditorProps) {
  return <CodeEditor {...props} language={LANGUAGE} completion={completionFrom(findNames)} isShort />;
}

const completionFrom =
  (findNames: FindNames) =>
  async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    const line = state.doc.lineAt(pos);
    const place = cedarPlace(line.text.slice(0, pos - line.from));
    if (!place || (!explicit && place.kind !== 'entity' && place.typed === '')) return null;
    const names = place.kind === 'entity' ? await findNames(place.type, place.typed) : [];
    const options = [...cedarWords(place), ...names].map((label) => ({ label }));
    // The names were searched by the typed text, so they are not complete for other texts.
    return { from: pos - place.typed.length, options, ...(names.length === 0 && { validFor: /^\w*$/ }) };
  };
