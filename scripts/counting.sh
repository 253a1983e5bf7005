# Sourced: how many tests passed, failed and were skipped, by what a program wrote.

# counts LOG STATUS: the sums of cargo test or node --test, else the last line `N passed, N failed[, N skipped]`, else the
# program itself by its exit status, of which 77 means skipped.
counts() {
    awk -v status="$2" '
        /^test result: / { tests = 1; passed += $4; failed += $6; skipped += $8 }
        /^# pass [0-9]+$/ { tests = 1; passed += $3 }
        /^# (fail|cancelled) [0-9]+$/ { failed += $3 }
        /^# skipped [0-9]+$/ { skipped += $3 }
        /^[0-9]+ passed, [0-9]+ failed/ { line = 1; last_passed = $1; last_failed = $3; last_skipped = $5 }
        END {
            if (line && !tests) { passed = last_passed; failed = last_failed; skipped = last_skipped }
            if (!line && !tests && status == 0) passed = 1
            if (status == 77) { passed = failed = 0; skipped = 1 }
            else if (status != 0 && failed + 0 == 0) failed = 1
            print passed + 0, failed + 0, skipped + 0
        }' "$1"
}
