import { yaml } from '@codemirror/lang-yaml';
import type { Json } from '../../mcp/json-rpc';
import { CodeEditor, type EditorProps } from './CodeEditor';
import { schemaCompletion } from './schema-completion';

interface YamlEditorProps extends EditorProps {
  /** Describes the document; null = not known yet. */
  schema: Json | null;
}

const LANGUAGE = yaml();

/** Editor for a YAML document that a JSON Schema describes. */
export default function YamlEditor({ schema, ...props }: YamlEditorProps) {
  return <CodeEditor {...props} language={LANGUAGE} completion={schemaCompletion(schema)} />;
}
