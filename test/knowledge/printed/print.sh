#!/bin/sh
# Prints the pages of this folder as the PDF files beside them, by Debian's chromium.
cd "$(dirname "$0")" || exit 1
for page in *.html; do
  chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf="${page%.html}.pdf" "$page"
done
